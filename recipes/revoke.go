package recipes

import (
	"context"
	"errors"
	"time"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/znode"
	"github.com/zkscope/zkscope/internal/zkc"
)

// Revocation says how to ask the holder of a claim to let go.
type Revocation struct {
	// Word is optional; default: the word that the claim's spelling tells, unlock or __REVOKE__.
	Word string

	// Deadline is optional; default: never. When the claim is still there so long after the request, its znode
	// is deleted whether or not its holder consents (the recipe documents' "laser beams"). Such a holder is not
	// told unless it watches its own znode, and may still act.
	Deadline time.Duration
}

// Revoke asks the holder of the claim at a path, of any client, to let go, and waits until the claim is gone.
// Broken tells that the deadline passed and the znode was deleted. When ctx ends first, the request stands and
// ctx's error is returned. A claim whose dialect has no revoke word is refused with ErrNotHeld.
//
// Protocol: the recipe documents' revocable locks, and Curator's Revoker: the word is written to the holder's
// znode and replaces what was there. Requests: a read, a set, and a watch.
func (s *Session) Revoke(ctx context.Context, path string, r Revocation) (broken bool, err error) {
	bound, stop := s.within(ctx)
	defer stop()
	if r.Word == "" {
		if r.Word = revokeWord(path); r.Word == "" {
			return false, &Error{"revoke", path, errNoWord}
		}
	}
	czxid, err := s.ask(bound, path, r.Word)
	if err != nil {
		return false, s.fail("revoke", path, err)
	}
	broken, err = s.awaitGone(bound, path, czxid, r.Deadline)
	return broken, s.fail("revoke", path, err)
}

var errNoWord = meaning{ErrNotHeld, errors.New("holders of this spelling do not listen for a revoke word")}

// revokeWord is the word that a claim's name says its holder can listen for.
func revokeWord(path string) string {
	_, text := znode.Split(path)
	name := layout.ParseName(text)
	for _, l := range layout.Layouts() {
		if name.HasSeq && l.Word == name.Word && l.Guard&name.Guard != 0 && l.Revoke != "" {
			return l.Revoke
		}
	}
	return ""
}

// ask writes the word, once: to the claim that was read, and to no later one.
func (s *Session) ask(ctx context.Context, path, word string) (czxid int64, err error) {
	for {
		data, stat, err := s.link().Get(ctx, path)
		if czxid != 0 && errors.Is(err, zkc.ErrNoNode) {
			return czxid, nil // it was faster than the reply to our request
		}
		if err != nil {
			return 0, err
		}
		if czxid == 0 {
			czxid = stat.Czxid
		}
		if stat.Czxid != czxid || string(data) == word {
			return czxid, nil // gone already, or asked already
		}
		_, err = s.link().Set(ctx, path, []byte(word), stat.Version)
		if err == nil || ctx.Err() != nil ||
			!errors.Is(err, zkc.ErrUnknownOutcome) && !errors.Is(err, zkc.ErrBadVersion) {
			return czxid, err
		}
	}
}

// awaitGone waits until the claim with this czxid is gone, and breaks it at the deadline.
func (s *Session) awaitGone(ctx context.Context, path string, czxid int64, deadline time.Duration) (broken bool, err error) {
	late := make(<-chan time.Time)
	if deadline > 0 {
		timer := time.NewTimer(deadline)
		defer timer.Stop()
		late = timer.C
	}
	for {
		w, err := s.watch(ctx, zkc.WatchData, path)
		switch {
		case errors.Is(err, zkc.ErrNoNode):
			return false, nil
		case err != nil:
			return false, err
		case w.Stat.Czxid != czxid:
			w.cancel()
			return false, nil
		}
		select {
		case <-w.C:
		case <-late:
			w.cancel()
			return true, s.remove(ctx, path)
		case <-ctx.Done():
			w.cancel()
			return false, ctx.Err()
		}
	}
}
