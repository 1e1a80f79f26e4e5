package actions

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/zkscope/zkscope/inspect"
	"github.com/zkscope/zkscope/recipes"
)

// Ballot is a vote to be given for a transaction's site.
type Ballot struct {
	Path, Site string       // of the transaction; the site's node
	Commit     bool         // else abort
	Czxid      inspect.Zxid // Optional; of the site's znode as it was seen: no other is voted on
	Reason     string       // Optional; why, in the operator's own words, for the audit log
}

// Vote writes the vote of a transaction's site: commit or abort. Giving the same vote again is no error; a site
// that voted otherwise, or whose znode was made anew, is ErrRefused, one that is not there recipes.ErrNotFound. already
// reports that the site had voted so before, and nothing was written.
func (j *Joiner) Vote(ctx context.Context, b Ballot) (already bool, err error) {
	tx, site, v := b.Path, b.Site, b.verdict()
	if j.cfg.ReadOnly {
		return false, refused("read-only: nothing is voted")
	}
	if why := j.cfg.reserved(tx); why != "" {
		return false, refused("not voted: %s", why)
	}
	s, err := j.dial(ctx)
	if err != nil {
		return false, err
	}
	defer s.Close()
	for _, path := range []string{tx, inspect.Join(tx, site)} {
		f, found, err := s.Detect(ctx, path)
		if err != nil && !errors.Is(err, recipes.ErrNotFound) {
			return false, err
		}
		if found && f.Kind != inspect.TwoPhase && f.Kind != inspect.Membership { // sites that have not voted look like a group
			return false, refused("not voted: %s stands at %s, no transaction", f.Kind.OneOf(), inspect.Printable(path))
		}
	}
	note := func(stage Outcome, text string) error {
		return j.cfg.Audit.Append(b.record(string(stage), j.cfg.Name, s.ID().String(), text, j.cfg.Now()))
	}
	if err := note("intent", ""); err != nil {
		return false, fmt.Errorf("not voted: %w", err)
	}
	already, err = s.TwoPhase(tx, recipes.TwoPhaseOptions{}).VoteOn(ctx, site, int64(b.Czxid), v)
	stage, text := Done, "voted "+string(v)+" for "+site
	switch {
	case errors.Is(err, recipes.ErrUnknown), ctx.Err() != nil:
		stage, text = Unknown, "whether it is written is not known"
	case err != nil:
		stage, text = Refused, err.Error()
	case already:
		text = site + " had voted " + string(v) + " already: nothing was changed"
	}
	if e := note(stage, text); e != nil && err == nil {
		return already, fmt.Errorf("voted, but not written down: %w", e)
	}
	if errors.Is(err, recipes.ErrChanged) || errors.Is(err, recipes.ErrDenied) {
		return false, refused("%v", err)
	}
	return already, err
}

func (b Ballot) verdict() recipes.Verdict {
	if b.Commit {
		return recipes.Commit
	}
	return recipes.Abort
}

// record is a vote's line in the audit log.
func (b Ballot) record(stage, ensemble, session, text string, now time.Time) Record {
	rec := record(stage, ensemble, session, Plan{Verb: VerbVote, Recipe: b.Path, Kind: inspect.TwoPhase, Name: b.Site,
		Target: Target{Path: inspect.Join(b.Path, b.Site), Czxid: b.Czxid}, OldData: []byte{}, NewData: []byte(b.verdict()), Reason: b.Reason}, now)
	rec.Text = text
	return rec
}
