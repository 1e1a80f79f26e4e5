package look

import (
	"archive/tar"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/internal/cli/world"
	"github.com/zkscope/zkscope/internal/txnlog"
)

// How much an archive may hold. Tests take less.
var (
	tarBytes int64 = 64 << 30
	tarFiles       = 100_000
)

// archive reports whether a name is that of a packed directory.
func archive(name string) bool {
	for _, end := range []string{".tar", ".tar.gz", ".tgz", ".tar.zst"} {
		if strings.HasSuffix(name, end) {
			return true
		}
	}
	return false
}

// unpacked is the files of servers that an archive held.
type unpacked struct {
	dir    string
	places map[string]string // where the files of a directory of the archive are
	kinds  map[string][2]bool
	left   int64
}

// openTar unpacks the files of members of an ensemble. Nothing of an archive is written but logs and snapshots, each under a
// name of ours: no path and no link of it is followed.
func (in *Input) openTar() ([]*txnlog.Member, error) {
	f, err := os.Open(in.From)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	plain, packed, err := unpack(strings.Replace(in.From, ".tgz", ".gz", 1), f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", in.From, err)
	}
	if packed {
		defer plain.Close()
	} else {
		plain = f
	}
	dir, err := world.Leftovers.Make()
	if err != nil {
		return nil, err
	}
	u := &unpacked{dir: dir, places: map[string]string{}, kinds: map[string][2]bool{}, left: tarBytes}
	if err := u.read(tar.NewReader(plain)); err != nil {
		return nil, fmt.Errorf("%s: %w", in.From, err)
	}
	return u.members(in.From)
}

func (u *unpacked) read(in *tar.Reader) error {
	for files := 0; ; {
		h, err := in.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("the archive is damaged, or cut off: %w", err)
		}
		dir, name := path.Split(path.Clean("/" + h.Name))
		kind, _, _ := strings.Cut(name, ".")
		if h.Typeflag != tar.TypeReg && h.Typeflag != tar.TypeGNUSparse || kind != "log" && kind != "snapshot" || strings.ContainsAny(name, "\\:\x00") {
			continue
		}
		if files++; files > tarFiles {
			return fmt.Errorf("it holds more than %d files of servers: unpack it yourself, and name the directory", tarFiles)
		}
		if err := u.take(in, strings.Trim(dir, "/"), name, kind); err != nil {
			return err
		}
	}
}

// take writes one file.
func (u *unpacked) take(in io.Reader, dir, name, kind string) error {
	to, ok := u.places[dir]
	if !ok {
		to = filepath.Join(u.dir, strconv.Itoa(len(u.places)))
		if err := os.Mkdir(to, 0o700); err != nil {
			return err
		}
		u.places[dir] = to
	}
	k := u.kinds[dir]
	k[map[string]int{"log": 0, "snapshot": 1}[kind]] = true
	u.kinds[dir] = k
	f, err := os.OpenFile(filepath.Join(to, name), os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600) // what comes later in an archive counts
	if err != nil {
		return err
	}
	n, err := io.Copy(f, io.LimitReader(in, u.left+1))
	if closed := f.Close(); err == nil {
		err = closed
	}
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("the archive is damaged, or cut off: %w", err)
	}
	if u.left -= n; err == nil && u.left < 0 {
		err = fmt.Errorf("what it holds is more than %d GiB: unpack it yourself, and name the directory", tarBytes>>30)
	}
	return err
}

// members are those whose files were found: each directory is one, but for one of logs alone beside one of snapshots alone,
// which are one.
func (u *unpacked) members(name string) (out []*txnlog.Member, err error) {
	var dirs []string
	for dir := range u.places {
		dirs = append(dirs, dir)
	}
	slices.Sort(dirs)
	if len(dirs) == 0 {
		return nil, fmt.Errorf("%s: no log.* or snapshot.* of a ZooKeeper server is in it", name)
	}
	apart := len(dirs) == 2 && u.kinds[dirs[0]] != u.kinds[dirs[1]] && u.kinds[dirs[0]] != [2]bool{true, true} && u.kinds[dirs[1]] != [2]bool{true, true}
	back := map[string]string{}
	for _, dir := range dirs {
		back[u.places[dir]] = dir
	}
	called := func(file string) string { return name + ":" + path.Join(back[filepath.Dir(file)], filepath.Base(file)) }
	for i, dir := range dirs {
		logs := ""
		if apart {
			logs = u.places[dirs[1]]
		}
		m, err := txnlog.FindMember(u.places[dir], logs)
		if err != nil {
			return nil, fmt.Errorf("%s:%s: no log.* or snapshot.* of a ZooKeeper server is in it", name, say.Printable(dir))
		}
		whole := name + ":" + dirs[i]
		if len(dirs) == 1 || apart {
			whole = name
		}
		m.From(whole, called)
		if out = append(out, m); apart {
			break
		}
	}
	return out, nil
}
