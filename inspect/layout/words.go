package layout

import (
	"strings"

	"github.com/zkscope/zkscope/inspect/znode"
)

// PathWords is what the words of a path say about the recipes below it.
type PathWords struct {
	Whole Kind   // by the nearest component that is one of the words, as a whole; empty: none
	Word  string // that component

	Hint Kind   // by the nearest component that contains one of the words
	By   string // that component
}

// wholeWords lists the words that, as a whole component of a path, say what a znode of no particular
// shape is for. They are compared without case and without a plural s.
var wholeWords = map[string]Kind{
	"lock": Lock, "mutex": Lock, "mutexe": Lock,
	"leader": Election, "election": Election, "master": Election,
	"barrier": Barrier, "doublebarrier": DoubleBarrier, "dbarrier": DoubleBarrier,
	"config": Config, "configuration": Config, "setting": Config, "sharedvalue": Config,
	"rendezvou": Rendezvous,
	"counter":   Counter, "count": Counter, "sharedcount": Counter, "atomiclong": Counter, "atomicinteger": Counter,
	"service": Service, "nameservice": Service, "discovery": Service, "servicediscovery": Service,
	"group": Membership, "member": Membership, "membership": Membership, "groupmembership": Membership,
	"party": Membership,
	"tx":    TwoPhase, "txn": TwoPhase, "transaction": TwoPhase, "2pc": TwoPhase, "twophase": TwoPhase,
	"twophasecommit": TwoPhase,
	"lease":          Lease,
}

// innerWords lists the words that tip the scales between a lock and an election that are spelled alike.
var innerWords = map[string]Kind{
	"lock": Lock, "locking": Lock, "mutex": Lock, "mutexe": Lock, "locknode": Lock,
	"leader": Election, "leadership": Election, "election": Election, "elect": Election, "elector": Election,
	"master": Election, "coordinator": Election, "primary": Election, "selector": Election, "candidate": Election,
}

// WholeWord returns the kind that a component names as a whole; empty when it names none.
func WholeWord(component string) Kind {
	if len(component) > 16 {
		return ""
	}
	return wholeWords[singular(strings.ToLower(component))]
}

// LeadingLetters returns the letters that a component begins with, when something else follows them.
func LeadingLetters(component string) string {
	for i := 0; i < len(component); i++ {
		if !isLetter(component[i]) {
			return component[:i]
		}
	}
	return ""
}

func singular(word string) string {
	if len(word) > 2 && strings.HasSuffix(word, "s") {
		return word[:len(word)-1]
	}
	return word
}

// WordsOf reads a path from its end: the nearest word wins.
func WordsOf(path string) *PathWords {
	w := &PathWords{}
	for path != "" && path != "/" && (w.Whole == "" || w.Hint == "") {
		var name string
		path, name = znode.Split(path)
		k := WholeWord(name)
		if k == "" && WholeWord(LeadingLetters(name)) == TwoPhase {
			k = TwoPhase // transactions are many and have numbers: tx1, Tx-4711
		}
		if k != "" && w.Whole == "" {
			w.Whole, w.Word = k, name
		}
		if k := innerWord(name); k != "" && w.Hint == "" {
			w.Hint, w.By = k, name
		}
	}
	return w
}

// innerWord returns the kind that a word within a component names: leader in leaderElection, in
// leader-lock, in "Leader of 3". Where a component names two, the first decides.
func innerWord(component string) Kind {
	if len(component) > 64 {
		return ""
	}
	start := 0
	for i := 0; i <= len(component); i++ {
		end := i == len(component) || !isLetter(component[i])
		camel := !end && i > start && isUpper(component[i]) && !isUpper(component[i-1])
		if !end && !camel {
			continue
		}
		if i > start {
			if k := innerWords[singular(strings.ToLower(component[start:i]))]; k != "" {
				return k
			}
		}
		start = i
		if end {
			start++
		}
	}
	return ""
}

func isUpper(c byte) bool { return c >= 'A' && c <= 'Z' }
