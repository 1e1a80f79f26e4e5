package ensemble

import (
	"errors"
	"fmt"
	"strings"
)

// advice lists the lines of the member's configuration that would let it tell what it did not.
func (d *door) advice(e *Ensemble) (out []Advice) {
	if !d.up {
		return nil
	}
	if d.hasConns && d.dump != nil && (d.listed || d.sum != nil || d.watchesOpen()) {
		return nil
	}
	var words []string
	for _, w := range []string{wordCons, wordDump, wordConf, wordWchs, wordWchp} {
		if errors.Is(d.why[w], errRefused) || d.why[w] == nil && d.admin == "" && d.refusesAll() {
			words = append(words, w)
		}
	}
	if len(words) > 0 {
		out = append(out, Advice{Line: "4lw.commands.whitelist=srvr," + strings.Join(words, ","), Gives: gives(words)})
	}
	if d.admin == "" && !off(e.cfg.Admin) {
		out = append(out, Advice{Line: "admin.enableServer=true", Gives: "sessions, watches and limits over HTTP" + d.adminNote()})
	}
	return out
}

// watchesOpen reports whether nothing stands in the way of listing watches when they are wanted.
func (d *door) watchesOpen() bool {
	return d.admin != "" || !errors.Is(d.why[wordWchs], errRefused) && !errors.Is(d.why[wordWchp], errRefused)
}

// refusesAll reports whether words that were asked were refused: others will be too.
func (d *door) refusesAll() bool {
	return errors.Is(d.why[wordCons], errRefused) && errors.Is(d.why[wordDump], errRefused)
}

func (d *door) adminNote() string {
	if d.adminWhy == "" {
		return ""
	}
	return fmt.Sprintf(" (%s; --admin says where it is)", d.adminWhy)
}

// gives says what words would tell.
func gives(words []string) string {
	tells := map[string]string{wordCons: "who is connected from where", wordDump: "which sessions exist and until when",
		wordConf: "limits and the server's id", wordWchp: "who waits for whom"}
	var out []string
	for _, w := range words {
		if t := tells[w]; t != "" {
			out = append(out, t)
		}
	}
	return strings.Join(out, ", ")
}
