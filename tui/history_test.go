package tui

import (
	"errors"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/internal/chronicle"
)

// on is so many cells in which somebody holds, and off in which somebody waits.
func on(n int) string  { return strings.Repeat("━", n) }
func off(n int) string { return strings.Repeat("─", n) }

// The history of a recipe is drawn from what was seen: who waited and held when, and the line as it stood at any moment.
func TestHistoryOfWhatWasSeen(t *testing.T) {
	s := changing(t, "lock", 120, 40)
	s.Wait(2 * time.Second)
	s.join("web-1")
	s.Sync().Wait(2 * time.Second)
	s.join("web-2")
	s.Sync()
	s.first(3 * time.Second) // web-1 held for 5s, web-2 waited for 3s
	s.first(4 * time.Second)
	s.Wait(2 * time.Second)
	s.join("web-1")
	s.Sync().Wait(3 * time.Second)
	s.look()
	s.Press("H").See("history of /run/locks/hot", "OWNER |12:00:00.0", "web-1 …0000 "+on(25)+" ┃", "web-1 …0002 "+on(15)+"┃", "web-2 "+off(15)+on(20)+" ┃", "1 cell = 0.2s ━ holds ─ waits", "At 12:00:16.0:", "holds web-1 3.0s")
	s.Press("{").See("At 12:00:13.0:", "holds web-1 0.0s").Press("{").See("At 12:00:07.0:", "holds web-2 0.0s").Press(",").See("At 12:00:04.0:", "holds web-1 2.0s 0x10000 went at 12:00:07", "1 waiting web-2 0.0s")
	s.Press("{", "{").See("that is the first that was seen").Press(".", ">").See("At 12:00:07.0:").Press("}", "}").See("At 12:00:16.0:")
	s.Press("+").See("1 cell = 0.1s").Press("-", "-").See("1 cell = 0.2s")
	s.Press("esc", "1", ":").Type("history /run/locks/none").Press("enter").See("no claim is known here")
}

// Who led before anything happened is in the history as well, and how the term ended where that is known.
func TestHistoryOfAnElection(t *testing.T) {
	s := changing(t, "latch", 120, 40)
	s.join("sched-1")
	s.join("sched-2")
	s.Sync()
	s.first(4 * time.Second)
	s.Wait(3 * time.Second)
	s.look().Press("H").See("sched-1 "+on(40)+" ┃", "sched-2 "+off(40)+on(30)+"┃", "leads sched-2 3.0s").Press("{").See("leads sched-2 0.0s")
}

// told is a recording that tells the history of one lock.
type told struct {
	*reel
	err   error
	asked int
}

func (r *told) Story(path string, _ model.Hints) (*chronicle.Chronicle, error) {
	r.asked++
	at := func(s int) chronicle.Moment { return chronicle.Moment{At: noon.Add(time.Duration(s) * time.Second)} }
	c := &chronicle.Chronicle{Path: path, Begin: noon, End: noon.Add(74 * time.Second)}
	if path == "/locks/job" {
		c.Kind = layout.Lock
		c.Gaps = []chronicle.Span{{From: noon.Add(60 * time.Second), To: noon.Add(64 * time.Second)}}
		c.Stays = []*chronicle.Stay{
			{Owner: "web-1", Session: 0x100, Start: true, Came: at(0), Held: at(0), HeldFrom: true, Asked: at(5), Left: at(10), How: chronicle.Expired},
			{Owner: "web-2", Session: 0x101, Start: true, Came: at(0), Held: at(10), Left: at(25), How: chronicle.Broken},
			{Owner: "web-3", Session: 0x102, Came: at(20), Held: at(25)},
		}
	}
	return c, r.err
}

// The history of a recording is read once, outside of the update; the cursor is where the recording is, and the keys move that.
func TestHistoryOfARecording(t *testing.T) {
	s, r := night()
	src := &told{reel: r, err: errors.New("record 9 is damaged")}
	d := screen(t, s, src)
	d.Press("/").Type("job").Press("enter", "esc")
	d.key("H")
	d.See("web-1 ┃━━━━?━━━━✗", "web-2 ┃─────────━━━━━━━━━━━━━━━╳", "web-3 ┃ ─────━━━━━━", "░░░░", "░ nobody saw what happened then", "the recording is damaged, and told to its damage: record 9 is damaged",
		"At 12:00:00:", "holds web-1 ≥0.0s 0x100 went at 12:00:10: the server ended the session").SeeNot("┃ waits web-3")
	d.Press("}").See("At 12:00:10:", "as of 12:00:10", "holds web-2 0.0s 0x101 went at 12:00:25: broken by").Press("esc", "H")
	if src.asked != 1 {
		t.Errorf("it was read %d times", src.asked)
	}
	d.Press(":").Type("goto 12:01:02").Press("enter").See("nobody saw what happened then")
}

// A story that is still being read is said to be.
func TestAHistoryThatIsBeingRead(t *testing.T) {
	s, r := night()
	d := screen(t, s, &told{reel: r})
	d.Press("/").Type("job").Press("enter", "esc")
	_, read := d.app.Update(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("H")})
	d.See("reading the recording")
	d.run(read)
	d.See("web-3", "At 12:00:00:")
	for _, size := range [][2]int{{60, 16}, {80, 24}, {200, 60}} {
		d := screen(t, s, &told{reel: &reel{frames: r.frames}})
		d.app.Update(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
		d.Press("/").Type("job").Press("enter", "esc", "esc", "H")
		squared(t, d.app.View(), size[0], size[1])
		d.See("web-1", "At 12:00:00", "holds")
	}
}

// Where what is seen does not tell of every claim, it is said and not drawn. An audit log that is empty is not one that is read.
func TestHistoryOfWhatNobodyWaitsFor(t *testing.T) {
	s := newStage()
	s.hints.Rules = []model.Hint{{Path: "/app/tx1", Kind: layout.TwoPhase}}
	s.add("/app/tx1/s_1", 0, 0, "").add("/app/tx1/s_2", 0, 0, "")
	d := drive(t, s, 140, 40)
	d.Sync().Wait(2*time.Second).Press("H").See("only locks, semaphores and elections are drawn as they are seen; e lists").SeeNot("nobody holds", "waits")
	d.Press("9").See("nothing was done from here yet")
}

// What went with its recipe is not taken for there.
func TestHistoryOfARecipeThatWent(t *testing.T) {
	s := changing(t, "lock", 120, 40)
	s.join("web-1")
	s.join("web-2")
	s.Sync().Wait(5 * time.Second)
	s.stage.del(s.node(0)).del(s.node(1)).del("/run/locks/hot")
	s.Sync().Wait(5 * time.Second)
	s.join("web-3")
	s.Sync().Wait(2 * time.Second)
	s.look().Press("H").See("web-1 "+on(25)+" ┃", "web-2 "+off(25)+" ┃", "web-3 "+on(10)+"┃").SeeNot("waits   web")
	s.Press("{", "{").See("At 12:00:00.0:", "holds web-1 0.0s", "1 waiting web-2 0.0s")
}

// Sessions of one name have a lane each, told apart by their ends; the arrows move in time and do not leave.
func TestHistoryKeepsSessionsOfOneNameApart(t *testing.T) {
	s := changing(t, "lock", 120, 40)
	s.Wait(2 * time.Second)
	s.join("web-1")
	s.Sync().Wait(2 * time.Second)
	s.join("web-1")
	s.Sync()
	s.first(3 * time.Second)
	s.first(4 * time.Second)
	s.join("web-2")
	s.Sync()
	s.look()
	s.Press("H").See("web-1 …0000", "web-1 …0001")
	s.Press("left").See("history of /run/locks/hot", "At 12:00:07.0:").Press("left").See("history of").Press("right", "right", "right").See("history of").Press("h").SeeNot("history of")
}
