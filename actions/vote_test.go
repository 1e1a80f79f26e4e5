package actions

import (
	"context"
	"strings"
	"testing"

	"github.com/zkscope/zkscope/inspect"
	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
)

// ballotBox is a transaction of three sites of which the first has voted commit; word spells a vote.
func ballotBox(r *rig, tx string, word func(string) string) {
	r.create("/app", "", 0)
	r.create(tx, "transfer 100", 0)
	r.create(tx+"/s_1", word("commit"), 0)
	r.create(tx+"/s_2", "", 0)
	r.create(tx+"/s_3", "", 0)
}

// voting is the scene of a site.
func (r *rig) voting(tx, site string) Scene {
	r.t.Helper()
	h := model.Hints{Rules: []model.Hint{{Path: tx, Kind: layout.TwoPhase}}}
	res := inspect.Decode(snapshotOf(r.server.Tree()), nil, h)
	m, c, _ := res.RecipeAt(tx + "/" + site)
	if c == nil {
		r.t.Fatalf("no site %s", site)
	}
	return Scene{Result: res, Hints: h, Model: m, Claim: c}
}

func asIs(s string) string { return s }

func TestAVoteSaysWhatItDecides(t *testing.T) {
	r := newRig(t, nil)
	ballotBox(r, "/app/tx", asIs)
	p := VoteFor(r.voting("/app/tx", "s_2"), true)
	if p.Outcome[0] != "the transaction stays undecided: 1 site has not voted" || p.Risk != High || p.Confirm != "s_2" || p.Title != "vote commit for s_2 in /app/tx" {
		t.Errorf("%+v", p)
	}
	if got := VoteFor(r.voting("/app/tx", "s_2"), false).Outcome[0]; got != "it decides the transaction: abort, by this vote alone" {
		t.Error(got)
	}
	r.want(r.apply(p), Done, "voted commit for s_2 in /app/tx")
	last := VoteFor(r.voting("/app/tx", "s_3"), true)
	if last.Outcome[0] != "it decides the transaction: commit, since every other site has voted so" {
		t.Error(last.Outcome)
	}
	if !strings.Contains(strings.Join(last.Warnings, "; "), "it cannot be taken back") {
		t.Error(last.Warnings)
	}
	r.want(r.apply(last), Done)
	r.refused(VerbVote, r.voting("/app/tx", "s_3"), "s_3 has voted commit already")
}

func TestAVoteForASiteOfOursTakesOneConfirmation(t *testing.T) {
	r := newRig(t, nil)
	ballotBox(r, "/app/tx", asIs)
	s := r.voting("/app/tx", "s_2")
	s.Claim.Mine = true
	if p := VoteFor(s, true); p.Risk != Elevated || p.Confirm != "" {
		t.Errorf("%+v", p)
	}
}

func TestAVoteIsSpelledAsTheTransactionsClientsSpellIt(t *testing.T) {
	r := newRig(t, nil)
	ballotBox(r, "/app/transaction", strings.ToUpper)
	s := r.voting("/app/transaction", "s_2")
	if got := string(VoteFor(s, true).NewData); got != "COMMIT" || s.Model.Dialect != layout.CJS {
		t.Error(got, s.Model.Dialect)
	}
	if o, ok := Find(s, VerbAbort); !ok || string(o.Plan().NewData) != "ABORT" {
		t.Errorf("%v %q", ok, o.Plan().NewData)
	}
}

// A site's znode that was made anew is another transaction's, and is left alone.
func TestAVoteIsPinnedToTheZnodeThatWasSeen(t *testing.T) {
	r := newRig(t, nil)
	ballotBox(r, "/app/tx", asIs)
	p := VoteFor(r.voting("/app/tx", "s_2"), true)
	must(t, r.client.Delete(context.Background(), "/app/tx/s_2", -1))
	r.create("/app/tx/s_2", "", 0)
	r.want(r.apply(p), Nothing, "another znode is there now")
	if n, _ := r.server.Node("/app/tx/s_2"); len(n.Data) > 0 {
		t.Errorf("voted %q", n.Data)
	}
}
