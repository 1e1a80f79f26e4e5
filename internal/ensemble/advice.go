package ensemble

import (
	"errors"
	"fmt"
	"strings"
)

// advice lists the lines of the member's configuration that would let it tell what it did not.
func (ep *endpoint) advice(e *Ensemble) (out []Advice) {
	if !ep.up {
		return nil
	}
	if ep.hasConns && ep.dump != nil && (ep.listed || ep.sum != nil || ep.watchesOpen()) {
		return nil
	}
	var words []string
	for _, w := range []string{wordCons, wordDump, wordConf, wordWchs, wordWchp} {
		if errors.Is(ep.why[w], errRefused) || ep.why[w] == nil && ep.admin == "" && ep.refusesAll() {
			words = append(words, w)
		}
	}
	if len(words) > 0 {
		out = append(out, Advice{Line: "4lw.commands.whitelist=srvr," + strings.Join(words, ","), Gives: gives(words)})
	}
	if ep.admin == "" && !off(e.cfg.Admin) {
		out = append(out, Advice{Line: "admin.enableServer=true", Gives: "sessions, watches and limits over HTTP" + ep.adminNote()})
	}
	return out
}

// watchesOpen reports whether nothing stands in the way of listing watches when they are wanted.
func (ep *endpoint) watchesOpen() bool {
	return ep.admin != "" || !errors.Is(ep.why[wordWchs], errRefused) && !errors.Is(ep.why[wordWchp], errRefused)
}

// refusesAll reports whether words that were asked were refused: others will be too.
func (ep *endpoint) refusesAll() bool {
	return errors.Is(ep.why[wordCons], errRefused) && errors.Is(ep.why[wordDump], errRefused)
}

func (ep *endpoint) adminNote() string {
	if ep.adminWhy == "" {
		return ""
	}
	return fmt.Sprintf(" (%s; --admin says where it is)", ep.adminWhy)
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
