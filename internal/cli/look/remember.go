package look

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/zkscope/zkscope/internal/cli/command"
	"github.com/zkscope/zkscope/internal/limits"
	"github.com/zkscope/zkscope/internal/usual"
)

// Remembered reads for how long the local history is kept; 0: there is none.
func Remembered(text string) (keep time.Duration, wrong string) {
	if text == "" {
		return 0, ""
	}
	n, wrong := limitOf(text, false)
	return max(0, time.Duration(n)), wrong
}

// Remembers adds what is usual in an ensemble to the terms, where the configuration has a local history kept; nil: it has not.
func Remembers(c *command.Line, t command.Target, terms *limits.Terms) (*usual.Book, error) {
	keep, _ := Remembered(c.Cfg.LocalHistory)
	if keep == 0 {
		return nil, nil
	}
	b, err := usual.Open(filepath.Join(c.StateHome(), "zkscope", "usual", BookOf(c.ProfileInUse(), t)), keep, c.Now)
	if err != nil {
		return nil, fmt.Errorf("the local history is not used: %w", err)
	}
	terms.Usual = b.Usual(limits.UsualLeast)
	return b, nil
}

// BookOf is the name of the file for an ensemble: that of its profile, else its servers as they were named, and what tells it
// from others that are spelled alike.
func BookOf(profile string, t command.Target) string {
	name := profile
	if name == "" {
		name = t.Name
	}
	sum := sha256.Sum256([]byte(name))
	plain := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '.' {
			return r
		}
		return '_'
	}, name)
	return plain[:min(len(plain), 40)] + "-" + hex.EncodeToString(sum[:4]) + ".jsonl"
}
