package redact_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/zkscope/zkscope/inspect"
	"github.com/zkscope/zkscope/inspect/files"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/znode"
	"github.com/zkscope/zkscope/internal/redact"
	"github.com/zkscope/zkscope/internal/script"
)

// shape is what decoding made of a picture, without names: recipes, claims and findings, sorted.
func shape(r *model.Result) []string {
	var out []string
	for m := range r.Models.All() {
		text := fmt.Sprintf("%s %s %s %s", dirOf(m.Path), m.Kind, m.Dialect, m.State)
		claims := []string{}
		for i := range m.Claims {
			c := &m.Claims[i]
			claims = append(claims, fmt.Sprintf("%s %v %d waits for %d, %s", c.Role(), c.Session, c.Seq, len(c.BlockedBy()), c.Proof()))
		}
		if !m.Kind.InLine() {
			slices.Sort(claims) // by names
		}
		for _, f := range m.Findings {
			claims = append(claims, f.Severity.String()+" "+f.Code)
		}
		out = append(out, text+"\n  "+strings.Join(claims, "\n  "))
	}
	for _, f := range r.Findings {
		out = append(out, f.Severity.String()+" "+f.Code)
	}
	slices.Sort(out)
	return out
}

// dirOf is a path without its last component, which may be a name.
func dirOf(path string) string { dir, _ := znode.Split(path); return dir }

// corpus are the pictures of the fixtures, by file.
func corpus(t *testing.T) map[string]*znode.Snapshot {
	t.Helper()
	out := map[string]*znode.Snapshot{}
	inputs, _ := filepath.Glob("../../inspect/testdata/inputs/*.jsonl")
	for _, file := range inputs {
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		rec, err := files.ReadFile(bytes.NewReader(b), file)
		if err != nil {
			t.Fatal(file, err)
		}
		out[filepath.Base(file)] = rec.At(rec.Len() - 1)
	}
	fixtures, _ := filepath.Glob("../../inspect/testdata/*.txt")
	for _, file := range fixtures {
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		_, tree, ok := strings.Cut(string(b), "-- tree --\n")
		tree, _, _ = strings.Cut(tree, "\n-- ")
		if ok {
			out[filepath.Base(file)] = script.Run(t, tree).Waits.Result.Snapshot
		}
	}
	if len(out) < 60 {
		t.Fatalf("%d pictures", len(out))
	}
	return out
}

// Whatever is taken out, what is left is decoded as before but for names.
func TestWhatIsLeftIsDecodedAsBefore(t *testing.T) {
	for file, s := range corpus(t) {
		before := inspect.Decode(s, nil, model.Hints{})
		for _, w := range []redact.What{{Data: true}, {Addresses: true}, {Names: true}, {Data: true, Addresses: true, Names: true}} {
			after := inspect.Decode(redact.New(w, model.Hints{}).Snapshot(s), nil, model.Hints{})
			a, b := shape(before), shape(after)
			for i := range a {
				if !slices.Contains(b, a[i]) {
					t.Errorf("%s %+v: was\n%s", file, w, a[i])
				}
			}
			for i := range b {
				if !slices.Contains(a, b[i]) {
					t.Errorf("%s %+v: is\n%s", file, w, b[i])
				}
			}
		}
	}
}

// said is all text that a picture holds: of its znodes, and of its header.
func said(s *znode.Snapshot) (names, data string) {
	var n, d strings.Builder
	var walk func(*znode.Node)
	walk = func(x *znode.Node) {
		n.WriteString(x.Name + "\n")
		d.WriteString(string(x.Data) + "\n")
		for _, c := range x.Children {
			walk(c)
		}
	}
	walk(s.Root)
	fmt.Fprint(&d, s.Servers, s.Partial)
	for _, x := range s.Sessions {
		fmt.Fprintln(&d, x.Addr, x.Server)
	}
	for path := range s.Watches {
		n.WriteString(path + "\n")
	}
	return n.String(), d.String()
}

var ip = regexp.MustCompile(`(10|172|192|127)\.\d+\.\d+\.\d+\b`)

// No address of the pictures is left anywhere, and no name in data; each part alone leaves what it is for.
func TestNothingIsLeftOfWhatIsTakenOut(t *testing.T) {
	n := 0
	for file, s := range corpus(t) {
		n += len(ip.FindAllString(fmt.Sprint(said(s)), -1))
		names, data := said(redact.New(redact.What{Addresses: true}, model.Hints{}).Snapshot(s))
		if left := ip.FindAllString(names+data, -1); len(left) > 0 {
			t.Errorf("%s: %v", file, left)
		}
		_, data = said(redact.New(redact.What{Data: true, Addresses: true, Names: true}, model.Hints{}).Snapshot(s))
		for m := range inspect.Decode(s, nil, model.Hints{}).Models.All() {
			for i := range m.Claims {
				c := &m.Claims[i]
				word := strings.Trim(c.Owner(), "<>0123456789-.:@") // web of web-1
				if c.OwnerSource() == model.FromData && len(word) > 2 && regexp.MustCompile(`\b`+regexp.QuoteMeta(word)+`\b`).MatchString(data) && !slices.Contains([]string{"unknown", "lock", "host"}, word) {
					t.Errorf("%s: %s of %q is left", file, word, c.Path())
				}
			}
		}
	}
	if n < 100 {
		t.Errorf("there were %d addresses", n)
	}
}

// What stands for something is the same throughout, and two things that differ stay two.
func TestPseudonymsAreStable(t *testing.T) {
	run := script.Run(t, `/locks/a/00000000000000000000000000000001__lock__0000000001 owner=A data="web-1"
/locks/a/00000000000000000000000000000001__lock__0000000002 owner=B data="db-main"
/members/db-main owner=B data="10.0.0.7:80"
/config data="{\"password\":\"hunter2\",\"at\":\"10.0.0.7\",\"n\":12,\"who\":\"db-main\"}"
`)
	r := redact.New(redact.What{Data: true, Addresses: true, Names: true}, model.Hints{})
	before := run.Waits.Result.Snapshot
	a := r.Snapshot(before)
	const lock = "/locks/a/00000000000000000000000000000001__lock__000000000"
	name := string(a.At(lock + "2").Data)
	host, _, _ := strings.Cut(string(a.At("/members/"+name).Data), ":")
	if want := `{"password":"xxxxxx0","at":"` + host + `","n":12,"who":"` + name + `"}`; string(a.At("/config").Data) != want {
		t.Errorf("%s, want %s", a.At("/config").Data, want)
	}
	if name == string(a.At(lock+"1").Data) || name == "db-main" || !strings.HasPrefix(host, "198.18.") {
		t.Errorf("%s and %s at %s", name, a.At(lock+"1").Data, host)
	}
	run.Then("@now +4s\n- " + lock + "1\n" + lock + `3 owner=C data="web-2"`)
	b := r.Snapshot(run.Waits.Result.Snapshot)
	if string(b.At(lock+"2").Data) != name || string(b.At(lock+"3").Data) == string(a.At(lock+"1").Data) {
		t.Errorf("%s was %s; %s", b.At(lock+"2").Data, name, b.At(lock+"3").Data)
	}
	if string(before.At(lock+"2").Data) != "db-main" {
		t.Error("the picture that was given is changed")
	}
	c := r.Snapshot(run.Waits.Result.Snapshot)
	if c.Root != b.Root {
		t.Error("what did not change is made anew")
	}
}
