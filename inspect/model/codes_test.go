package model_test

import (
	"os"
	"regexp"
	"slices"
	"testing"

	"github.com/zkscope/zkscope/inspect/model"
)

func TestEveryCodeIsListed(t *testing.T) {
	src, err := os.ReadFile("finding.go")
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile(`(?m)^\tCode\w+\s+= "([a-z-]+)"`).FindAllStringSubmatch(string(src), -1)
	for _, m := range found {
		if !slices.Contains(model.Codes(), m[1]) {
			t.Errorf("%s is not listed", m[1])
		}
	}
	if len(found) != len(model.Codes()) || len(found) < 40 {
		t.Errorf("%d codes, %d of them listed", len(found), len(model.Codes()))
	}
}
