// Command pages writes what packages carry beside the program: manual pages, packed, and completions for shells. It is not
// part of zkscope.
package main

import (
	"bytes"
	"compress/gzip"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/zkscope/zkscope/internal/cli"
)

func main() {
	dir := flag.String("dir", "dist", "where to write man/*.1.gz and completions/")
	version := flag.String("version", "devel", "what the pages are about")
	date := flag.String("date", "", "the date on the pages, as 2006-01-02 (default today)")
	flag.Parse()
	if *date == "" {
		*date = time.Now().UTC().Format(time.DateOnly)
	}
	if err := write(*dir, *version, *date); err != nil {
		fmt.Fprintln(os.Stderr, "pages:", err)
		os.Exit(1)
	}
}

// write writes all pages and completions below a directory. What it writes depends on its arguments alone.
func write(dir, version, date string) error {
	root := cli.Tree()
	for _, page := range manual(root, version, date) {
		if err := save(filepath.Join(dir, "man", page.name+".1.gz"), packed(page.text)); err != nil {
			return err
		}
	}
	root = cli.Tree() // anew: asking a command for its completion adds commands to it
	for name, generate := range map[string]func(*bytes.Buffer) error{
		"zkscope.bash": func(b *bytes.Buffer) error { return root.GenBashCompletionV2(b, true) },
		"_zkscope":     func(b *bytes.Buffer) error { return root.GenZshCompletion(b) },
		"zkscope.fish": func(b *bytes.Buffer) error { return root.GenFishCompletion(b, true) },
	} {
		var b bytes.Buffer
		if err := generate(&b); err != nil {
			return err
		}
		if err := save(filepath.Join(dir, "completions", name), b.Bytes()); err != nil {
			return err
		}
	}
	return nil
}

func save(path string, text []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, text, 0o644)
}

// packed is a text as man reads it from packages.
func packed(text string) []byte {
	var b bytes.Buffer
	w, _ := gzip.NewWriterLevel(&b, gzip.BestCompression) // the level is one that there is
	_, _ = w.Write([]byte(text))                          // a buffer takes all
	_ = w.Close()
	return b.Bytes()
}

// page is one manual page.
type page struct{ name, text string }

// manual is a page for the program and one for each command.
func manual(root *cobra.Command, version, date string) []page {
	var out []page
	var walk func(c *cobra.Command)
	walk = func(c *cobra.Command) {
		out = append(out, page{pageName(c), roff(c, version, date)})
		for _, sub := range c.Commands() {
			if sub.IsAvailableCommand() {
				walk(sub)
			}
		}
	}
	walk(root)
	return out
}
