package cli

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

// dirs reports whether the input is directories of servers, and not a file of ours.
func (in *input) dirs() bool {
	if in.from == "-" {
		return false
	}
	st, err := os.Stat(in.from)
	return archive(in.from) || err == nil && st.IsDir() || err != nil && strings.Contains(in.from, ",")
}

// openDirs opens the data directories of members of one ensemble.
func (in *input) openDirs() (*files.Recording, error) {
	members, err := in.members()
	if err != nil {
		return nil, world.Failure{Code: world.ExitError, Err: err}
	}
	return in.storyOf(members)
}

// members are those whose directories are named, or that an archive holds.
func (in *input) members() ([]*txnlog.Member, error) {
	if archive(in.from) {
		if in.logDir != "" {
			return nil, errors.New("--log-dir goes with directories: an archive holds the logs itself")
		}
		return in.openTar()
	}
	var members []*txnlog.Member
	logs := strings.Split(in.logDir, ",")
	for i, dir := range strings.Split(in.from, ",") {
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
func (in *input) storyOf(members []*txnlog.Member) (*files.Recording, error) {
	story, err := past.Open(members)
	if err != nil {
		return nil, world.Failure{Code: world.ExitError, Err: err}
	}
	covers, err := story.Cover()
	if err != nil {
		return nil, world.Failure{Code: world.ExitError, Err: err}
	}
	for _, line := range covers.Lines() {
		fmt.Fprintln(in.warn, "zkscope: "+say.Printable(line))
	}
	in.cover = covers
	rec := files.NewRecording(story)
	rec.Recall(recallDirs, recallStates)
	return rec, nil
}
