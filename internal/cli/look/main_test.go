package look_test

import (
	"testing"

	"github.com/zkscope/zkscope/internal/cli"
	"github.com/zkscope/zkscope/internal/cli/clitest"
)

func TestMain(m *testing.M) { clitest.Main(m, cli.Run) }
