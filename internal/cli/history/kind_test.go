package history_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/zkscope/zkscope/internal/cli"
	"github.com/zkscope/zkscope/internal/cli/clitest"
	"github.com/zkscope/zkscope/internal/cli/world"
	"github.com/zkscope/zkscope/internal/txnlog"
)

// A place where readers and writers came is a shared lock, whoever was there at first or at last: kazoo's writers alone
// look like a lock. Every command says so, of directories and of recordings.
func TestAPlaceIsWhatAllItsClaimsTell(t *testing.T) {
	claim := func(n int, word string) string { return fmt.Sprintf("/rw/%032x__%s__%010d", n, word, n) }
	w1, r2, r3, w4, w5 := claim(1, "lock"), claim(2, "rlock"), claim(3, "rlock"), claim(4, "lock"), claim(5, "lock")
	orders := map[string][]func(*txnlog.Record){
		"writers at the ends": {makes(1, w1, "w1", true), makes(2, r2, "r2", true), removes(1, w1), makes(3, r3, "r3", true), makes(4, w4, "w4", true),
			removes(2, r2), removes(3, r3), makes(5, w5, "w5", true), removes(4, w4)},
		"empty at the end": {makes(1, w1, "w1", true), makes(2, r2, "r2", true), removes(1, w1), removes(2, r2)},
		"many writers": {makes(1, w1, "w1", true), makes(4, w4, "w4", true), makes(5, w5, "w5", true), makes(6, claim(6, "rlock"), "r6", true),
			removes(1, w1), removes(4, w4), removes(5, w5), removes(6, claim(6, "rlock"))},
	}
	for name, ops := range orders {
		t.Run(name, func(t *testing.T) {
			dir := logDir(t, 1<<32+1, append([]func(*txnlog.Record){makes(9, "/rw", "", false)}, ops...)...)
			s, tmp := &clitest.Shell{T: t, Does: cli.Run}, t.TempDir()
			recording, page := filepath.Join(tmp, "r.jsonl"), filepath.Join(tmp, "report.md")
			if code, _, errs := s.Run("", "record", "--from", dir, "--file", recording); code != world.ExitOK {
				t.Fatal(errs)
			}
			for _, from := range []string{dir, recording} {
				for _, args := range []string{"history /rw", "history /rw -o json", "history --top", "history --top -o json", "history --top -o csv"} {
					_, out, errs := s.Run("", append(strings.Fields(args), "--from", from)...)
					bare := strings.NewReplacer(`"kind": "sharedlock"`, "", "sharedlock", "").Replace(out)
					if !strings.Contains(out, "sharedlock") || strings.Contains(bare, `"kind": "lock"`) || strings.Contains(bare, "/rw  lock") || strings.Contains(bare, "/rw,lock") {
						t.Errorf("%s --from %s: %s\n%s", args, filepath.Base(from), out, errs)
					}
				}
				if code, _, errs := s.Run("", "report", "/rw", "--from", from, "--file", page, "-o", "md"); code != world.ExitOK {
					t.Fatal(errs)
				}
				text, err := os.ReadFile(page)
				if err != nil || !strings.Contains(string(text), "sharedlock") || strings.Contains(string(text), "| lock |") {
					t.Errorf("%v\n%s", err, text)
				}
				if err := os.Remove(page); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}
