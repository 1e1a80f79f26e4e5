package actions

import (
	"context"
	"strings"
	"testing"

	"github.com/zkscope/zkscope/internal/wire"
)

// TestAClaimThatWasMadeAnewIsSaidToBeAnother: the dialog is open while the claim goes and another comes to its place.
func TestAClaimThatWasMadeAnewIsSaidToBeAnother(t *testing.T) {
	r := newRig(t, nil)
	path := r.contend("", "web-2")[0]
	br, rev := r.plan(VerbBreak, path), r.plan(VerbRevoke, path)
	if why := br.Stale(r.scene(path).Result.Snapshot); why != "" {
		t.Fatal(why)
	}
	done := r.apply(rev)
	r.want(done, Done)
	must(t, r.client.Delete(context.Background(), path, -1))
	r.create(path, "web-1", wire.FlagEphemeral)
	n, _ := r.server.Node(path)
	by := anewOf(n.Stat)
	snap := snapshotOf(r.server.Tree())
	if why := br.Stale(snap); why != "it is another znode now, "+by+": close this and look again" {
		t.Errorf("%q", why)
	}
	if text, over := rev.Progress(snap, done.At, done.At); !over || !strings.Contains(text, "let go after") || !strings.HasSuffix(text, "another znode is there now, "+by) {
		t.Errorf("%q, %v", text, over)
	}
	r.want(r.apply(br), Nothing, "another znode is there now, "+by)
	must(t, r.client.Delete(context.Background(), path, -1))
	if why := br.Stale(snapshotOf(r.server.Tree())); why != "the znode is gone: nothing is left to do" {
		t.Errorf("%q", why)
	}
}
