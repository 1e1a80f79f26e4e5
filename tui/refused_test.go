package tui

import (
	"errors"
	"testing"
)

// A connection that is given up for good says why, beside what was seen before it.
func TestAConnectionThatIsGivenUpSaysWhy(t *testing.T) {
	s := town()
	d := drive(t, s, 160, 40)
	s.lost, s.link.Err = s.now, errors.New("authenticate: credentials are refused: digest by zk1:2181")
	d.Sync().See("cannot connect, data as of ", ": authenticate: credentials are refused: digest by zk1:2181", "/locks/nightly")
}
