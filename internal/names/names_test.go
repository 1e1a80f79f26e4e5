package names_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"github.com/zkscope/zkscope/internal/names"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const list = "# pods\n10.0.0.7 web-7f9c node-3 # payments\n::ffff:10.0.0.8\tweb-\x1b[31m8\n10.0.0.7 second\nlonely\n2001:DB8::1 v6\nHost.example h\n"

func TestAddressesHaveNames(t *testing.T) {
	file := filepath.Join(t.TempDir(), "names")
	if err := os.WriteFile(file, []byte(list+"10.0.0.9 "+strings.Repeat("x", 200)+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, s := range []names.Source{{File: file}, {Command: []string{"cat", file}}} {
		b, err := names.Open(t.Context(), s)
		if err != nil {
			t.Fatal(err)
		}
		for addr, want := range map[string]string{"10.0.0.7:4711": "web-7f9c node-3", "10.0.0.7": "web-7f9c node-3", "10.0.0.8:1": `web-\x1b[31m8`,
			"[2001:db8::1]:4711": "v6", "host.EXAMPLE:1": "h", "10.0.0.1:1": "", "": "", "lonely": ""} {
			if got := b.Of(addr); got != want {
				t.Errorf("%+v: %s is %q, want %q", s, addr, got, want)
			}
		}
		if got := b.Of("10.0.0.9"); len([]rune(got)) > 60 {
			t.Errorf("a name of %d letters", len([]rune(got)))
		}
	}
	if (*names.Book)(nil).Of("x") != "" {
		t.Error("no book has names")
	}
}

// What cannot be read is said, and no program holds anybody up, nor reads our arguments as a shell would.
func TestListsThatFail(t *testing.T) {
	dir := t.TempDir()
	for says, s := range map[string]names.Source{
		"no such file":  {File: filepath.Join(dir, "none")},
		"is no file":    {File: dir},
		"exit status 3": {Command: []string{"sh", "-c", "exit 3"}},
		"executable":    {Command: []string{"no-such-program-here"}},
		"longer than":   {Command: []string{"sh", "-c", "yes"}},
		"than 200ms":    {Command: []string{"sleep", "60"}, Within: 200 * time.Millisecond},
	} {
		begin := time.Now()
		b, err := names.Open(t.Context(), s)
		if err == nil || !strings.Contains(err.Error(), says) || time.Since(begin) > 30*time.Second {
			t.Errorf("%s: %v after %v", says, err, time.Since(begin))
		}
		if b.Of("10.0.0.7") != "" {
			t.Error("it has names")
		}
	}
	b, err := names.Open(t.Context(), names.Source{Command: []string{"echo", "10.0.0.7", "$(touch " + dir + "/oops); x"}})
	if _, ran := os.Stat(dir + "/oops"); err != nil || ran == nil || !strings.HasPrefix(b.Of("10.0.0.7"), "$(touch ") {
		t.Errorf("%v: %q", err, b.Of("10.0.0.7"))
	}
}

// A list is read again; while that fails what was read stays, and it is said once.
func TestListsAreReadAgain(t *testing.T) {
	file := filepath.Join(t.TempDir(), "names")
	put := func(text string) {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	put("10.0.0.7 old")
	synctest.Test(t, func(t *testing.T) {
		b, err := names.Open(context.Background(), names.Source{File: file})
		if err != nil {
			t.Fatal(err)
		}
		var mu sync.Mutex
		said := 0
		b.Keep(time.Minute, func(error) { mu.Lock(); said++; mu.Unlock() })
		defer b.Close()
		before := b.Version()
		put("10.0.0.7 new")
		time.Sleep(61 * time.Second)
		synctest.Wait()
		if b.Of("10.0.0.7") != "new" || b.Version() == before {
			t.Errorf("it is %s", b.Of("10.0.0.7"))
		}
		if err := os.Remove(file); err != nil {
			t.Fatal(err)
		}
		time.Sleep(5 * time.Minute)
		synctest.Wait()
		mu.Lock()
		defer mu.Unlock()
		if b.Of("10.0.0.7") != "new" || said != 1 {
			t.Errorf("it is %s, and that it fails was said %d times", b.Of("10.0.0.7"), said)
		}
	})
}
