package history_test

import (
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/zkscope/zkscope/internal/cli"
	"github.com/zkscope/zkscope/internal/cli/clitest"
	"github.com/zkscope/zkscope/internal/cli/history"
	"github.com/zkscope/zkscope/internal/cli/world"
	"github.com/zkscope/zkscope/internal/txnlog"
	"github.com/zkscope/zkscope/internal/txntest"
)

// page is what a report holds: its rows of tables, and every element and attribute.
type page struct {
	rows   [][]string
	titles []string // headings
	text   string
}

// allowed are the elements of a report, with the attributes that they may have.
var allowedHTML = map[string]string{"html": "lang", "head": "", "meta": "charset http-equiv content name", "title": "", "style": "", "body": "", "h1": "", "h2": "", "h3": "",
	"p": "class", "span": "", "table": "", "thead": "", "tbody": "", "tr": "", "th": "scope", "td": "class", "defs": "", "path": "id d",
	"svg": "class role height width aria-label aria-hidden", "rect": "class x y width height", "line": "class x1 x2 y1 y2", "text": "class x y text-anchor", "use": "class href x y"}

// readPage parses a report, and complains of whatever is not allowed.
func readPage(t *testing.T, html string) (p page) {
	t.Helper()
	in := xml.NewDecoder(strings.NewReader(html))
	var text, cell strings.Builder
	for {
		tok, err := in.Token()
		if errors.Is(err, io.EOF) {
			p.text = text.String()
			return p
		}
		if err != nil {
			t.Fatalf("%v in\n%s", err, html)
		}
		switch x := tok.(type) {
		case xml.StartElement:
			attrs, known := allowedHTML[x.Name.Local]
			if !known {
				t.Errorf("element %s", x.Name.Local)
			}
			for _, a := range x.Attr {
				if !slices.Contains(strings.Fields(attrs), a.Name.Local) {
					t.Errorf("%s has attribute %s=%q", x.Name.Local, a.Name.Local, a.Value)
				}
				if a.Name.Local == "href" && !strings.HasPrefix(a.Value, "#sign-") {
					t.Errorf("it leads to %s", a.Value)
				}
			}
			if x.Name.Local == "tr" {
				p.rows = append(p.rows, nil)
			}
			cell.Reset()
		case xml.CharData:
			text.Write(x)
			cell.Write(x)
		case xml.EndElement:
			switch x.Name.Local {
			case "td", "th":
				p.rows[len(p.rows)-1] = append(p.rows[len(p.rows)-1], cell.String())
			case "h2":
				p.titles = append(p.titles, cell.String())
			}
		}
	}
}

func (p page) has(row ...string) bool {
	return slices.ContainsFunc(p.rows, func(r []string) bool { return len(r) >= len(row) && slices.Equal(r[:len(row)], row) })
}

// A report tells the same numbers as history, of both samples.
func TestTheReportTellsWhatHistoryTells(t *testing.T) {
	s := &clitest.Shell{T: t, Does: cli.Run}
	for from, paths := range map[string][]string{"contention": {"/locks/orders", "/el", "/sem"}, "expiry": {"/locks/nightly"}} {
		from = clitest.Samples + from
		file := filepath.Join(t.TempDir(), "incident.html")
		if code, out, errs := s.Run("", "report", "--from", from, "--file", file); code != 0 || !strings.HasPrefix(out, "wrote ") {
			t.Fatalf("exit %d: %s%s", code, out, errs)
		}
		html, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		p := readPage(t, string(html))
		if want := append(append([]string{"What is covered"}, paths...), "Sources and their limits"); !slices.Equal(p.titles, want) {
			t.Errorf("sections %q, want %q", p.titles, want)
		}
		for _, path := range paths {
			var h history.HistoryReport
			if _, out, errs := s.Run("", "history", "--from", from, path, "-o", "json"); json.Unmarshal([]byte(out), &h) != nil {
				t.Fatal(out, errs)
			}
			sameAsHistory(t, p, h)
		}
		code, out, errs := s.Run("", append([]string{"report", "--from", from, "-o", "md"}, paths...)...)
		if code != 0 || !strings.Contains(out, "### Who blocked whom") {
			t.Errorf("exit %d: %s%s", code, out, errs)
		}
		if code, _, errs := s.Run("", "report", "--from", from, "--file", file); code != world.ExitError || !strings.Contains(errs, "name a file that is not there yet") {
			t.Errorf("it is overwritten: exit %d, %s", code, errs)
		}
	}
}

func sameAsHistory(t *testing.T, p page, h history.HistoryReport) {
	t.Helper()
	ms := func(n int64) string { return fmt.Sprintf("%d.%03ds", n/1000, n%1000) }
	clock := func(s *string) string {
		if s == nil {
			return "-"
		}
		return strings.TrimSuffix(strings.SplitN(*s, "T", 2)[1], "Z")
	}
	if len(h.Claims) == 0 {
		t.Errorf("%s has no claims", h.Path)
	}
	for _, c := range h.Claims {
		held := "-"
		if c.Held != nil {
			held = ms(c.HeldMs)
		}
		row := []string{clock(c.Came), c.Owner, *c.Session, fmt.Sprintf("%d/%d", c.Position+1, c.Of), ms(c.WaitedMs), clock(c.Held), held, clock(c.Left)}
		if !p.has(row...) {
			t.Errorf("%s: no row %q in %q", h.Path, row, p.rows)
		}
	}
	for _, o := range h.Owners {
		if !p.has(o.Owner, fmt.Sprint(o.Claims), ms(o.HeldMs), fmt.Sprint(o.Times), ms(o.WaitedMs), fmt.Sprint(o.Lost)) {
			t.Errorf("%s: no row of %+v", h.Path, o)
		}
	}
	for _, n := range h.Nobody {
		if !p.has(n.From, n.To, ms(n.Ms)) {
			t.Errorf("%s: no row of %+v", h.Path, n)
		}
	}
	for what, x := range map[string]*history.SpreadReport{"held": h.Hold, "waited": h.Wait} {
		if x != nil && !strings.Contains(p.text, fmt.Sprintf("%s: p50 %s, p95 %s, max %s (n %d)", what, ms(x.P50Ms), ms(x.P95Ms), ms(x.MaxMs), x.N)) {
			t.Errorf("%s: no line of %s %+v", h.Path, what, x)
		}
	}
}

// hostile are names that mean something in HTML, in Markdown or to a terminal.
var hostile = []string{`<script>alert(1)</script>`, `"><img src=x onerror=alert(1)>`, "a\u202eb\x1b[31m\x00", "]]></style><b>", `|x|[y](http://z)` + "`q`", `</title><svg onload=alert(1)>`}

// hostileMember is a data directory whose paths and owners are hostile.
func hostileMember(t *testing.T, claims int) string {
	t.Helper()
	dir := t.TempDir()
	f, err := os.Create(filepath.Join(dir, "log.1"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	w := txntest.New(f, txntest.V36)
	z := int64(0)
	write := func(op txnlog.Op, session int64) {
		z++
		w.Write(&txnlog.Record{Session: session, Cxid: int32(z), Zxid: z, Millis: 1795816800000 + z*100, Kind: op.Kind, Ops: []txnlog.Op{op}})
	}
	write(txnlog.Op{Kind: txnlog.Create, Path: []byte("/locks"), Cversion: 1}, 9)
	for n, name := range hostile {
		at := "/locks/" + strings.NewReplacer("/", "+", "\x00", "").Replace(name)
		write(txnlog.Op{Kind: txnlog.Create, Path: []byte(at), Cversion: int32(n + 1)}, 9)
		if n > 0 {
			claims = 3
		}
		var last []byte
		for i := range claims {
			path := fmt.Appendf(nil, "%s/_c_%08x-0000-4000-8000-%012x-lock-%010d", at, i, i, i)
			write(txnlog.Op{Kind: txnlog.Create, Path: path, Data: []byte(name), Ephemeral: true, Cversion: int32(i + 1)}, int64(i%3+1))
			if last != nil {
				write(txnlog.Op{Kind: txnlog.Delete, Path: last}, 7)
			}
			last = path
		}
	}
	if w.Err() != nil {
		t.Fatal(w.Err())
	}
	return dir
}

// Whatever clients write is text in a report, and nothing else; in one that is binned, too.
func TestForeignNamesAreInertInAReport(t *testing.T) {
	s := &clitest.Shell{T: t, Does: cli.Run}
	for _, claims := range []int{3, 1600} {
		dir := hostileMember(t, claims)
		code, html, errs := s.Run("", "report", "--from", dir)
		if code != 0 {
			t.Fatalf("exit %d: %s", code, errs)
		}
		p := readPage(t, html)
		if len(p.titles) != len(hostile)+2 {
			t.Errorf("%d sections: %q", len(p.titles), p.titles)
		}
		for _, want := range []string{`<script>alert(1)</script>`, `a\u202eb\x1b[31m`, "]]></style><b>", "broken by 0x7"} {
			if !strings.Contains(p.text, want) {
				t.Errorf("%q is not told", want)
			}
		}
		if strings.ContainsAny(html, "\x1b\x00\u202e") {
			t.Error("a control character is in it")
		}
		if binned := strings.Contains(p.text, "Not drawn one by one: 1600 claims"); binned != (claims > 1500) {
			t.Errorf("of %d claims it says that it is binned: %v", claims, binned)
		}
		_, md, _ := s.Run("", "report", "--from", dir, "-o", "md")
		for _, line := range strings.Split(md, "\n") {
			if strings.ContainsAny(line, "<>\x1b\x00\u202e") || strings.HasPrefix(line, "|") && strings.Contains(line, "alert") && !slices.Contains([]int{11, 8, 7, 6}, strings.Count(line, "|")) {
				t.Fatalf("%q", line)
			}
		}
	}
}

func TestWhatAReportRefuses(t *testing.T) {
	s := &clitest.Shell{T: t, Does: cli.Run}
	for args, says := range map[string]string{
		"report /locks/a": "servers cannot be asked for the past",
		"report --from ../../txnlog/testdata/expiry --at 09:31:18":   "a report covers a span, not a moment",
		"report --from ../../txnlog/testdata/expiry -o json":         "this command prints html or md",
		"report --from ../../txnlog/testdata/expiry --file=":         "--file is empty",
		"report --from ../../txnlog/testdata/expiry --since nothing": "is not a time",
	} {
		if code, _, errs := s.Run("", strings.Fields(args)...); code != world.ExitUsage || !strings.Contains(errs, says) {
			t.Errorf("%s: exit %d: %s", args, code, errs)
		}
	}
	code, out, errs := s.Run("", "report", "--from", clitest.Samples+"expiry", "/nothing")
	if code != world.ExitNotFound || !strings.Contains(errs, "no recipe stood at /nothing between") || !strings.Contains(out, "No recipe stood here between 2026-11-28T09:31:17.148Z and 2026-11-28T09:31:22.524Z, as far as that is covered.") {
		t.Errorf("exit %d: %s", code, out)
	}
}

// Of a recording a report says what it does not know, and where nobody saw what happened.
func TestAReportOfARecording(t *testing.T) {
	file := filepath.Join(t.TempDir(), "gap.jsonl")
	text := `{"zkscope":1,"kind":"recording","takenAt":"2026-11-27T22:00:00Z","root":"/","complete":true}
{"path":"/locks/a","czxid":9}
{"at":"2026-11-27T22:00:05Z","put":{"path":"/locks/a/x-lock-0000000001","owner":"0x1","czxid":11,"ctime":1795816805000,"text":"web-1"}}
{"at":"2026-11-27T22:00:06Z","put":{"path":"/locks/a/x-lock-0000000002","owner":"0x2","czxid":12,"ctime":1795816806000,"text":"web-2"}}
{"at":"2026-11-27T22:00:10Z","gap":"disconnected"}
{"at":"2026-11-27T22:00:40Z","del":"/locks/a/x-lock-0000000001"}
{"at":"2026-11-27T22:00:50Z","del":"/locks/a/x-lock-0000000002"}
`
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	s := &clitest.Shell{T: t, Does: cli.Run}
	code, html, errs := s.Run("", "report", "--from", file, "/locks/a")
	if code != 0 {
		t.Fatalf("exit %d: %s", code, errs)
	}
	p := readPage(t, html)
	if !p.has("22:00:05.000", "web-1", "0x1", "1/1", "0.000s", "22:00:05.000", "5.000s to 35.000s", "between 22:00:10.000 and 22:00:40.000 (not seen)", "gone") {
		t.Errorf("%q", p.rows)
	}
	for _, want := range []string{"A recording tells no zxids of changes and no epochs", "not covered: from 2026-11-27T22:00:10.000Z to 2026-11-27T22:00:40.000Z"} {
		if !strings.Contains(p.text, want) {
			t.Errorf("no %q", want)
		}
	}
}
