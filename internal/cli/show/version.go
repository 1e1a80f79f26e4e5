package show

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/zkscope/zkscope/internal/cli/command"
)

// Built is what the binary itself tells of its making; what it does not tell is left empty.
type Built struct {
	Schema   int    `json:"schema"`
	Version  string `json:"version"`            // devel: built without a module's version
	Revision string `json:"revision,omitempty"` // of the repository it was built in
	Time     string `json:"time,omitempty"`     // of that revision
	Modified *bool  `json:"modified,omitempty"` // the files were not those of the revision
	Go       string `json:"go"`
	OS       string `json:"os"`
	Arch     string `json:"arch"`
}

// buildOf reads a build's own information.
func buildOf(info *debug.BuildInfo) Built {
	b := Built{Schema: 1, Version: "devel", Go: runtime.Version(), OS: runtime.GOOS, Arch: runtime.GOARCH}
	if info == nil {
		return b
	}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		b.Version = v
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			b.Revision = s.Value
		case "vcs.time":
			b.Time = s.Value
		case "vcs.modified":
			modified := s.Value == "true"
			b.Modified = &modified
		}
	}
	return b
}

// String is the build in one line.
func (b Built) String() string {
	words := []string{"zkscope", b.Version}
	if b.Revision != "" {
		words = append(words, b.Revision[:min(12, len(b.Revision))])
	}
	if b.Modified != nil && *b.Modified {
		words = append(words, "(modified)")
	}
	if b.Time != "" {
		words = append(words, b.Time)
	}
	return strings.Join(append(words, b.Go, b.OS+"/"+b.Arch), " ")
}

// Version prints what was built, and from what.
func Version(c *command.Line) command.Subcommand {
	return command.Subcommand{Use: "version", Short: "print the version", Formats: command.TableOrJSON, Bare: true,
		Example: "  zkscope version\n  zkscope version -o json",
		Run: func(context.Context, command.Invocation) error {
			info, _ := debug.ReadBuildInfo()
			b := buildOf(info)
			if c.Flags.Output == "json" {
				return c.PrintJSON(b)
			}
			_, err := fmt.Fprintln(c.Out, b)
			return err
		}}
}
