// Package deps keeps the shape of the program as tests: which package may import which, how big a function
// and a file may grow, who may write to ZooKeeper, how many files name a kind, and that comments and the page of the
// architecture name what there is.
package deps

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"sort"
	"strings"
	"testing"
)

const module = "github.com/zkscope/zkscope"

// allowed lists what each package may import of this module, and why the list ends where it does. A package
// that is missing here may not exist.
var allowed = map[string]struct {
	imports []string
	why     string
}{
	".":                     {[]string{"internal/cli", "internal/quiet"}, "main only wires"},
	"inspect/say":           {nil, "words for people and the one escaping function: knows nothing of ZooKeeper"},
	"inspect/sorted":        {nil, "puts any values in order"},
	"inspect/znode":         {[]string{"inspect/say"}, "what ZooKeeper tells, and nothing of what it means"},
	"inspect/layout":        {[]string{"inspect/sorted", "inspect/say", "inspect/znode"}, "how participants spell themselves: data, and how it is looked up"},
	"inspect/model":         {[]string{"inspect/sorted", "inspect/say", "inspect/znode", "inspect/layout"}, "what decoding makes of a tree; decides nothing"},
	"inspect/order":         {[]string{"inspect/model", "inspect/say", "inspect/znode", "inspect/layout"}, "who is first, decided once"},
	"inspect/survey":        {[]string{"inspect/model", "inspect/order", "inspect/say", "inspect/znode", "inspect/layout"}, "what is a recipe at all, and what all kinds share"},
	"inspect/lines":         {[]string{"inspect/survey", "inspect/model", "inspect/order", "inspect/say", "inspect/znode", "inspect/layout"}, "the kinds that are lines"},
	"inspect":               {[]string{"inspect/sorted", "inspect/lines", "inspect/survey", "inspect/model", "inspect/order", "inspect/say", "inspect/znode", "inspect/layout"}, "the other kinds, and the table of all"},
	"inspect/waits":         {[]string{"inspect/sorted", "inspect", "inspect/model", "inspect/order", "inspect/say", "inspect/znode", "inspect/layout"}, "who waits for whom, across recipes"},
	"inspect/files":         {[]string{"inspect/sorted", "inspect", "inspect/model", "inspect/say", "inspect/znode", "internal/guard"}, "snapshots and recordings, from readers and to writers"},
	"inspect/story":         {[]string{"inspect/sorted", "inspect", "inspect/model", "inspect/waits", "inspect/say", "inspect/znode", "inspect/layout"}, "words and JSON of what the rooms below decided"},
	"recipes":               {withRooms("inspect", "recipes/sasl", "internal/zkc", "internal/wire", "internal/guard"), "clients ask inspect whose turn it is"},
	"actions":               {withRooms("inspect", "recipes", "internal/zkc", "internal/wire", "internal/guard", "internal/wait"), "acting knows no screen"},
	"tui/paint":             {[]string{"internal/term"}, "text becomes cells: knows nothing of ZooKeeper"},
	"tui/keys":              {nil, "every key, and what it is called"},
	"tui/widget":            {[]string{"inspect/sorted", "tui/paint", "internal/term"}, "parts of layers, which know nothing of what they hold"},
	"tui/layer":             {[]string{"tui/keys", "tui/paint", "tui/widget", "internal/term"}, "what it does when it is answered is given to it"},
	"tui/chart":             {[]string{"tui/paint", "internal/term", "inspect/say", "inspect/znode", "inspect/layout", "inspect/model"}, "what is drawn with; knows no kind"},
	"tui/panel":             {[]string{"tui/chart", "tui/paint", "internal/term", "inspect/say", "inspect/layout", "inspect/model"}, "a kind is drawn from its model alone"},
	"tui/backend":           {withRooms("inspect", "internal/chronicle", "actions"), "what the console is given: interfaces, and values that cross them"},
	"tui/picture":           {withRooms("inspect", "internal/chronicle", "tui/backend", "tui/chart", "tui/panel"), "what is known, decoded outside of the event loop; draws nothing"},
	"tui/view":              {withRooms("inspect", "internal/chronicle", "actions", "internal/term", "tui/backend", "tui/picture", "tui/keys", "tui/paint", "tui/widget", "tui/chart", "tui/panel"), "lines of what is shown; changes nothing"},
	"tui/act":               {withRooms("inspect", "actions", "internal/term", "tui/backend", "tui/paint", "tui/widget", "tui/layer", "tui/chart", "tui/panel", "tui/view"), "asks and plans; writes through the backend alone"},
	"tui/desk":              {withRooms("inspect", "internal/term", "tui/act", "tui/picture", "tui/paint", "tui/widget", "tui/chart", "tui/panel", "tui/view"), "what is selected, and the panes it is in"},
	"tui":                   {withRooms("inspect", "internal/chronicle", "actions", "internal/term", "tui/act", "tui/desk", "tui/backend", "tui/picture", "tui/keys", "tui/paint", "tui/widget", "tui/layer", "tui/chart", "tui/panel", "tui/view"), "the screen never sees a connection"},
	"internal/catalog":      {[]string{"tui/panel"}, "the kinds that the console draws"},
	"internal/live":         {withRooms("inspect", "tui/backend", "internal/mirror", "internal/ensemble", "internal/zkc", "internal/wire", "internal/guard", "internal/wait"), "what is seen of an ensemble; prints nothing"},
	"internal/cli/world":    {[]string{"inspect/say", "internal/chronicle", "internal/guard", "internal/metrics", "internal/term"}, "streams, exit codes, waits; knows no command"},
	"internal/cli/command":  {[]string{"inspect/layout", "inspect/model", "inspect/say", "inspect/znode", "internal/certs", "internal/cli/world", "internal/config", "internal/live", "internal/term", "internal/zkc", "recipes", "recipes/sasl", "recipes/sasl/krb5", "tui/paint"}, "flags, configuration and what a command is; prints no picture"},
	"internal/cli/look":     {withRooms("inspect", "internal/cli/command", "internal/cli/world", "internal/config", "internal/guard", "internal/limits", "internal/live", "internal/mirror", "internal/names", "internal/past", "internal/term", "internal/txnlog", "internal/usual", "internal/zkc"), "servers or files become a picture; writes nothing"},
	"internal/cli/show":     {withRooms("inspect", "internal/cli/command", "internal/cli/look", "internal/cli/world", "internal/ensemble", "internal/live", "internal/term"), "commands that look once and print; write nothing"},
	"internal/cli/history":  {withRooms("inspect", "actions", "internal/chronicle", "internal/cli/command", "internal/cli/look", "internal/cli/world", "internal/compare", "internal/mirror", "internal/past", "internal/redact", "internal/report", "internal/term", "internal/txnlog"), "commands that look back or keep what is there; write files alone"},
	"internal/cli/monitor":  {withRooms("inspect", "internal/chronicle", "internal/cli/command", "internal/cli/look", "internal/cli/world", "internal/config", "internal/guard", "internal/live", "internal/metrics", "internal/notify", "internal/program", "internal/term", "internal/webgate"), "tells other programs what is wrong; writes nothing"},
	"internal/cli/change":   {withRooms("inspect", "actions", "internal/cli/command", "internal/cli/look", "internal/cli/world", "internal/wait", "internal/zkc", "recipes"), "asks and plans; writes through actions alone"},
	"internal/cli/join":     {withRooms("inspect", "actions", "internal/cli/change", "internal/cli/command", "internal/cli/look", "internal/cli/world", "internal/guard", "recipes"), "takes part through actions.Join; runs a command meanwhile"},
	"internal/cli/console":  {withRooms("inspect", "actions", "internal/catalog", "internal/chronicle", "internal/cli/change", "internal/cli/command", "internal/cli/look", "internal/cli/show", "internal/cli/world", "internal/config", "internal/demo", "internal/guard", "internal/limits", "internal/live", "internal/program", "internal/term", "internal/usual", "internal/zkc", "recipes", "tui", "tui/backend", "tui/keys", "tui/paint"), "the console on a terminal, with all that it is given"},
	"internal/cli/settings": {[]string{"inspect/say", "inspect/sorted", "internal/cli/command", "internal/cli/console", "internal/cli/look", "internal/cli/world", "internal/config", "internal/zkc", "tui/keys"}, "what is set and what is wrong with it; connects to nothing"},
	"internal/cli":          {[]string{"inspect/say", "internal/cli/change", "internal/cli/command", "internal/cli/console", "internal/cli/history", "internal/cli/join", "internal/cli/monitor", "internal/cli/settings", "internal/cli/show", "internal/cli/world", "internal/zkc"}, "lists the commands of its rooms, and runs one"},
	"internal/config":       {[]string{"inspect/sorted", "internal/program"}, "plain values"},
	"internal/term":         {withRooms("inspect"), "a leaf but for the one escaping function"},
	"internal/guard":        {nil, "starts goroutines for all"},
	"internal/quiet":        {nil, "must be initialized before any library"},
	"internal/program":      {nil, "runs a program of the user's; knows nothing of ours"},
	"internal/wait":         {nil, "a wait that its context cuts short"},
	"internal/wire":         {nil, "records only"},
	"internal/txnlog":       {[]string{"inspect/sorted"}, "the files of servers: bytes to records, nothing more"},
	"internal/compare":      {withRooms("inspect"), "two pictures become differences; asks nobody"},
	"internal/chronicle":    {withRooms("inspect"), "follows a history; asks nobody"},
	"internal/report":       {withRooms("inspect", "internal/chronicle"), "histories become a document; reads no file"},
	"internal/past":         {withRooms("inspect", "internal/chronicle", "internal/txnlog"), "files become pictures; draws nothing, asks nobody"},
	"internal/txntest":      {[]string{"internal/txnlog"}, "test support: writes what txnlog reads"},
	"internal/zkc":          {[]string{"internal/wire", "internal/guard", "recipes/sasl", "internal/wait"}, "the only importer of go-zookeeper"},
	"internal/metrics":      {withRooms("inspect"), "pictures become metrics; asks nobody"},
	"internal/limits":       {withRooms("inspect"), "a picture is held against people's limits; asks nobody"},
	"internal/names":        {withRooms("inspect", "internal/guard", "internal/program"), "what hosts are called, by a file or a program; looks at no ensemble"},
	"internal/usual":        {[]string{"internal/limits"}, "how long recipes are held usually, over days, in a file of its own"},
	"internal/redact":       {withRooms("inspect"), "pictures become pictures; writes no file"},
	"internal/notify":       {[]string{"inspect/sorted", "internal/guard", "internal/wait"}, "tells a webhook of what begins and ends; looks at no ensemble"},
	"internal/webgate":      {nil, "guards a page; knows nothing of what is on it"},
	"internal/certs":        {nil, "files become a TLS configuration; nothing is dialled"},
	"recipes/sasl":          {nil, "mechanisms: they know no connection"},
	"recipes/sasl/krb5":     {[]string{"recipes/sasl", "internal/guard"}, "Kerberos, apart from the link"},
	"internal/mirror":       {withRooms("inspect", "internal/zkc", "internal/wire", "internal/guard"), "reads, never draws"},
	"internal/ensemble":     {withRooms("inspect", "internal/zkc", "internal/wire", "internal/guard", "internal/wait"), "asks servers, never draws"},
	"internal/zkserver":     {[]string{"inspect/sorted", "internal/wire", "internal/guard"}, "a server knows no client"},
	"internal/demo":         {withRooms("inspect", "recipes", "internal/zkserver", "internal/zkc", "internal/wire", "internal/guard", "internal/wait"), "troupes are ordinary clients"},
	"internal/truth":        {withRooms("inspect", "internal/mirror", "internal/ensemble", "internal/zkserver", "internal/zkc", "internal/wire", "internal/guard"), "test support: a bench that nothing imports"},
	"packaging/pages":       {[]string{"internal/cli"}, "prints what commands say of themselves; not part of the program"},
	"packaging/dist":        {nil, "builds and packs; not part of the program"},
	"internal/peers":        {nil, "test support"},
	"internal/deps":         {nil, "tests only"},
	"internal/docs":         {nil, "tests only: what the documentation says is held against the program"},
	"internal/screenshot":   {[]string{"internal/term"}, "test support: pictures of screens"},
	"internal/cli/clitest":  {[]string{"internal/cli/world", "internal/guard", "internal/wire", "internal/zkc", "internal/zkserver"}, "test support: command lines against a server in memory"},
	"internal/script":       {append(withRooms("inspect"), "inspect/lines"), "test support: scripted trees"},
	"internal/e2e":          {nil, "tests across packages only"},
	"internal/suites":       {nil, "other clients' own tests, against the embedded server"},
}

// outside lists third-party modules that only some packages may import.
var outside = map[string][]string{
	"github.com/go-zookeeper/zk": {"internal/zkc", "recipes"},
	"github.com/charmbracelet":   {"tui", "tui/act", "tui/desk", "tui/picture", "tui/keys", "tui/paint", "tui/widget", "tui/layer", "tui/view", "internal/term", "internal/cli/console", "internal/cli/show", "internal/screenshot"},
	"github.com/spf13/cobra":     {"internal/cli/history", "internal/cli/change", "internal/cli/join", "internal/cli/console", "internal/cli/settings", "internal/cli", "internal/cli/command", "internal/cli/show", "packaging/pages"},
	"github.com/jcmturner":       {"recipes/sasl/krb5"},
	"github.com/prometheus":      {"internal/metrics", "internal/cli/monitor", "internal/cli/world"},
	"github.com/klauspost":       {"internal/txnlog", "internal/cli/look"},
	// They call methods by names that only run time knows, after which the linker leaves no method out: 3 MB.
	"html/template": nil,
	"text/template": nil,
}

// withRooms is a list of imports that holds inspect, with its rooms: whoever may know one may know all.
func withRooms(imports ...string) []string {
	return append(imports, "inspect/say", "inspect/sorted", "inspect/znode", "inspect/layout", "inspect/model", "inspect/order", "inspect/waits", "inspect/files", "inspect/story")
}

type source struct {
	pkg, path string
	file      *ast.File
	lines     int
	test      bool
}

func load(t *testing.T) (*token.FileSet, []source) {
	t.Helper()
	fset := token.NewFileSet()
	var out []source
	err := filepath.WalkDir("../..", func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "testdata" || strings.HasPrefix(d.Name(), ".") && len(d.Name()) > 2) {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(path, ".go") {
			return nil
		}
		f, err := parser.ParseFile(fset, path, nil, parser.ParseComments)
		if err != nil {
			return err
		}
		pkg, _ := filepath.Rel("../..", filepath.Dir(path))
		out = append(out, source{pkg, path, f, fset.Position(f.End()).Line, strings.HasSuffix(path, "_test.go")})
		return nil
	})
	if err != nil || len(out) == 0 {
		t.Fatalf("no sources: %v", err)
	}
	return fset, out
}

func TestImportDirection(t *testing.T) {
	_, files := load(t)
	for _, s := range files {
		rule, known := allowed[s.pkg]
		if !known {
			t.Errorf("%s: package %s has no row in the table of this test", s.path, s.pkg)
			continue
		}
		if s.test {
			continue
		}
		for _, spec := range s.file.Imports {
			path := strings.Trim(spec.Path.Value, `"`)
			if own, ok := strings.CutPrefix(path, module+"/"); ok && !contains(rule.imports, own) {
				t.Errorf("%s imports %s: %s", s.path, own, rule.why)
			}
			for prefix, who := range outside {
				if strings.HasPrefix(path, prefix) && !contains(who, s.pkg) {
					t.Errorf("%s imports %s: only %v may", s.path, path, who)
				}
			}
			if top, _, _ := strings.Cut(s.pkg, "/"); top == "inspect" && strings.Contains(path, ".") && !strings.HasPrefix(path, module) {
				t.Errorf("%s imports %s: inspect and its rooms are standard library only", s.path, path)
			}
		}
	}
}

// TestArchitecturePage keeps docs/architecture.md true: the files that it sends its readers to are there, what it quotes is
// declared somewhere, and it names every package.
func TestArchitecturePage(t *testing.T) {
	_, files := load(t)
	there := declared(files)
	page, err := os.ReadFile("../../docs/architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	sent := regexp.MustCompile(`\b[a-z/]+/[a-z_]+\.go\b`).FindAllString(string(page), -1)
	if len(sent) < 20 {
		t.Errorf("only %d files are named", len(sent))
	}
	for _, path := range sent {
		if _, err := os.Stat(filepath.Join("../..", path)); err != nil {
			t.Errorf("%s is named and is not there", path)
		}
	}
	for _, m := range regexp.MustCompile(`(?:^|[ (])([a-z_]+\.go)\b`).FindAllStringSubmatch(string(page), -1) {
		if !there[m[1]] {
			t.Errorf("%s is named and is not there", m[1])
		}
	}
	quoted := regexp.MustCompile("`(?:\\w+\\.)*(\\w{2,})(?:\\(\\))?`").FindAllStringSubmatch(string(page), -1)
	if len(quoted) < 30 {
		t.Errorf("only %d names are quoted", len(quoted))
	}
	for _, m := range quoted {
		if !there[m[1]] {
			t.Errorf("%s is quoted, and nothing is called %s", m[0], m[1])
		}
	}
	for pkg := range allowed {
		if name := filepath.Base(pkg); name != "." && !regexp.MustCompile(`\b`+name+`\b`).Match(page) {
			t.Errorf("%s is not named", pkg)
		}
	}
}

// declared are the names of the files and packages, and of all that is declared in them.
func declared(files []source) map[string]bool {
	out := map[string]bool{}
	for _, s := range files {
		out[filepath.Base(s.path)], out[s.file.Name.Name] = true, true
		ast.Inspect(s.file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				out[n.Name.Name] = true
				return false
			case *ast.TypeSpec:
				out[n.Name.Name] = true
			case *ast.Field:
				for _, name := range n.Names {
					out[name.Name] = true
				}
			case *ast.ValueSpec:
				for _, name := range n.Names {
					out[name.Name] = true
				}
			}
			return true
		})
	}
	return out
}

func contains(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}

func TestSizeBudget(t *testing.T) {
	fset, files := load(t)
	var lengths []int
	for _, s := range files {
		if s.test {
			continue
		}
		if s.lines > 400 {
			t.Errorf("%s has %d lines, more than 400", s.path, s.lines)
		}
		for _, d := range s.file.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Body == nil {
				continue
			}
			n := fset.Position(fn.End()).Line - fset.Position(fn.Pos()).Line + 1
			lengths = append(lengths, n)
			if n > 60 {
				t.Errorf("%s: %s has %d lines, more than 60", s.path, fn.Name.Name, n)
			}
		}
	}
	sort.Ints(lengths)
	if p90 := lengths[len(lengths)*9/10]; p90 > 30 {
		t.Errorf("nine of ten functions should have at most 30 lines; the 90th percentile is %d", p90)
	}
}

// writers are the methods of internal/zkc that change the ensemble.
var writers = map[string]bool{"Create": true, "Make": true, "Enter": true, "Set": true, "Delete": true, "DeleteAt": true, "Multi": true, "SetACL": true}

func TestOnlyTheNamedPlacesWrite(t *testing.T) {
	_, files := load(t)
	for _, s := range files {
		if s.path != "../../internal/zkc/writes.go" {
			continue
		}
		for _, d := range s.file.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv != nil && fn.Name.IsExported() && receiverExported(fn) && !writers[fn.Name.Name] {
				t.Errorf("%s: %s writes, and is not among the writers of this test", s.path, fn.Name.Name)
			}
		}
	}
	for _, s := range files {
		if s.test || s.pkg == "internal/zkc" || s.pkg == "recipes" || s.pkg == "internal/demo" ||
			s.pkg == "internal/zkserver" || s.pkg == "internal/cli/clitest" || strings.HasSuffix(s.path, "actions/apply.go") || !importsZK(s.file) {
			continue
		}
		ast.Inspect(s.file, func(n ast.Node) bool {
			if sel, ok := n.(*ast.SelectorExpr); ok && writers[sel.Sel.Name] {
				t.Errorf("%s uses %s: only actions/apply.go, recipes and internal/demo write", s.path, sel.Sel.Name)
			}
			return true
		})
	}
}

func importsZK(f *ast.File) bool {
	for _, spec := range f.Imports {
		if strings.Contains(spec.Path.Value, "internal/zkc") || strings.Contains(spec.Path.Value, "go-zookeeper") {
			return true
		}
	}
	return false
}

func TestExportedNamesAreDocumented(t *testing.T) {
	_, files := load(t)
	for _, s := range files {
		if s.test {
			continue
		}
		for _, d := range s.file.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if ok && fn.Name.IsExported() && receiverExported(fn) && !strings.HasPrefix(fn.Doc.Text(), fn.Name.Name) {
				t.Errorf("%s: the comment of %s should begin with its name", s.path, fn.Name.Name)
			}
		}
	}
}

// What is not exported may have a comment that begins with anything, but not with the name of another function.
func TestCommentsNameTheirOwnFunction(t *testing.T) {
	_, files := load(t)
	first := regexp.MustCompile(`^([a-z]\w*) `)
	for _, s := range files {
		if s.test {
			continue
		}
		for _, d := range s.file.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			if m := first.FindStringSubmatch(fn.Doc.Text()); m != nil && m[1] != fn.Name.Name {
				t.Errorf("%s: the comment of %s begins with %s", s.path, fn.Name.Name, m[1])
			}
		}
	}
}

func receiverExported(fn *ast.FuncDecl) bool {
	if fn.Recv == nil {
		return true
	}
	typ := fn.Recv.List[0].Type
	if star, ok := typ.(*ast.StarExpr); ok {
		typ = star.X
	}
	id, ok := typ.(*ast.Ident)
	return ok && id.IsExported()
}

func TestGoroutinesAreGuarded(t *testing.T) {
	fset, files := load(t)
	started := 0
	for _, s := range files {
		if s.test || s.pkg == "internal/guard" || s.pkg == "internal/peers" {
			continue
		}
		ast.Inspect(s.file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.GoStmt:
				t.Errorf("%s: a panic in this goroutine would leave the terminal as it is; use guard.Go", fset.Position(n.Pos()))
			case *ast.CallExpr:
				sel, ok := n.Fun.(*ast.SelectorExpr)
				if !ok || sel.Sel.Name != "Go" || len(n.Args) != 1 {
					return true
				}
				started++
				if !named(sel.X, "guard") && !guardFunc(n.Args[0]) {
					t.Errorf("%s: start it with guard.Func", fset.Position(n.Pos()))
				}
			}
			return true
		})
	}
	if started == 0 {
		t.Error("no goroutine was found")
	}
}

// guardFunc reports whether an expression is guard.Func(…).
func guardFunc(x ast.Expr) bool {
	call, ok := x.(*ast.CallExpr)
	if !ok {
		return false
	}
	sel, ok := call.Fun.(*ast.SelectorExpr)
	return ok && sel.Sel.Name == "Func" && named(sel.X, "guard")
}

// named reports whether an expression is this identifier.
func named(x ast.Expr, name string) bool {
	id, ok := x.(*ast.Ident)
	return ok && id.Name == name
}
