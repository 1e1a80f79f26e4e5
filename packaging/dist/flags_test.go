package main

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// elsewhere are the copies of the flags of build, in the words of others: how each is cut out of its file. What the
// flag of revisions says may differ: an image is built of a directory that may be no clone.
var elsewhere = map[string]*regexp.Regexp{
	"../../Dockerfile":       regexp.MustCompile(`RUN go build (.*?) -o `),
	"zkscope.rb":             regexp.MustCompile(`system "go", "build", (.*?), "-o", `),
	"../../.goreleaser.yaml": regexp.MustCompile(`(?s)flags: \[(.*?)\]\n\s+ldflags: \[(.*?)\]\n`),
}

// built is how build builds, and taken what it sets meanwhile.
var built, taken = regexp.MustCompile(`(?s)exec\.Command\("go", "build", (.*?), "-o", path`), regexp.MustCompile(`cmd\.Env = .*`)

// oneFlag is one flag of a command line, quoted or not.
var oneFlag = regexp.MustCompile(`"(-[^"]*)"|(-[a-z]+="[^"]*")|(-[a-z]+(?:=[^\s",]*)?)`)

// flagsIn are the flags in a piece of a file, in order.
func flagsIn(text string) (out []string) {
	for _, m := range oneFlag.FindAllStringSubmatch(text, -1) {
		f := strings.ReplaceAll(m[1]+m[2]+m[3], `"`, "")
		if name, _, _ := strings.Cut(f, "="); name != "-buildvcs" {
			out = append(out, f)
		}
	}
	slices.Sort(out)
	return out
}

func read(t *testing.T, file string) string {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// Whoever builds zkscope builds the same: the image, Homebrew's formula and goreleaser take the flags that make dist
// takes, and set what it sets.
func TestAllBuildAlike(t *testing.T) {
	own := read(t, "main.go")
	want := flagsIn(built.FindStringSubmatch(own)[1])
	if len(want) < 6 || !slices.Contains(want, "-trimpath") || !slices.Contains(want, "-ldflags=-s -w -buildid=") {
		t.Fatalf("these are not the flags of build: %q", want)
	}
	for file, cut := range elsewhere {
		text := read(t, file)
		m := cut.FindStringSubmatch(text)
		if m == nil {
			t.Errorf("%s: no build is found", file)
			continue
		}
		if len(m) > 2 { // goreleaser has a list of its own for the linker
			m[1] += `, "-ldflags=` + m[2] + `"`
		}
		if got := flagsIn(m[1]); !slices.Equal(got, want) {
			t.Errorf("%s builds with\n%q, and make dist with\n%q", file, got, want)
		}
		if !regexp.MustCompile(`CGO_ENABLED"?\]? ?= ?"?0`).MatchString(text) {
			t.Errorf("%s does not set CGO_ENABLED=0", file)
		}
	}
	for _, v := range []string{"GOAMD64=v1", "GOARM64=v8.0"} {
		if !strings.Contains(taken.FindString(own), v) || !strings.Contains(read(t, "../../.goreleaser.yaml"), v) {
			t.Errorf("make dist or .goreleaser.yaml does not set %s", v)
		}
	}
}
