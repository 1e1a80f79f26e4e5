package look

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/zkscope/zkscope/inspect/files"
	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/internal/cli/world"
	"github.com/zkscope/zkscope/internal/past"
	"github.com/zkscope/zkscope/internal/txnlog"
)

// recallDirs is how far a look into servers' files goes back for what only history tells: what is older is told by its
// age alone.
const (
	recallDirs   = 15 * time.Minute
	recallStates = 20_000
)

// Dirs reports whether the input is directories of servers, and not a file of ours.
func (in *Input) Dirs() bool {
	if in.From == "-" {
		return false
	}
	st, err := os.Stat(in.From)
	return archive(in.From) || err == nil && st.IsDir() || err != nil && strings.Contains(in.From, ",")
}

// openDirs opens the data directories of members of one ensemble.
func (in *Input) openDirs() (*files.Recording, error) {
	members, err := in.Members()
	if err != nil {
		return nil, world.Failure{Code: world.ExitError, Err: err}
	}
	return in.storyOf(members)
}

// Members are those whose directories are named, or that an archive holds.
func (in *Input) Members() ([]*txnlog.Member, error) {
	if archive(in.From) {
		if in.logDir != "" {
			return nil, errors.New("--log-dir goes with directories: an archive holds the logs itself")
		}
		return in.openTar()
	}
	var members []*txnlog.Member
	logs := strings.Split(in.logDir, ",")
	for i, dir := range strings.Split(in.From, ",") {
		logDir := ""
		if i < len(logs) {
			logDir = logs[i]
		}
		m, err := txnlog.FindMember(dir, logDir)
		if err != nil {
			return nil, err
		}
		members = append(members, m)
	}
	return members, nil
}

// storyOf tells what members' files cover, and opens what they tell.
func (in *Input) storyOf(members []*txnlog.Member) (*files.Recording, error) {
	story, err := past.Open(members)
	if err != nil {
		return nil, world.Failure{Code: world.ExitError, Err: err}
	}
	covers, err := story.Cover()
	if err != nil {
		return nil, world.Failure{Code: world.ExitError, Err: err}
	}
	for _, line := range covers.Lines() {
		fmt.Fprintln(in.Warn, "zkscope: "+say.Printable(line))
	}
	in.Cover = covers
	rec := files.NewRecording(story)
	rec.Recall(recallDirs, recallStates)
	return rec, nil
}
