package redact

import (
	"net/netip"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/sorted"
	"github.com/zkscope/zkscope/inspect/znode"
)

// node is a node without what is to be taken out, and all below it.
func (r *Redactor) node(n *znode.Node) *znode.Node {
	if is := r.done[n]; is != nil {
		return is
	}
	out := *n
	out.Name = r.component(n.Name, n.Ephemeral())
	if n.Data != nil {
		out.Data = []byte(r.data(string(n.Data)))
		out.DataLength += int32(len(out.Data) - len(n.Data))
	}
	out.Children = each(n.Children, r.node)
	slices.SortFunc(out.Children, func(a, b *znode.Node) int { return strings.Compare(a.Name, b.Name) })
	r.done[n] = &out
	return &out
}

// path is a path with the names that its znodes have now.
func (r *Redactor) path(s *znode.Snapshot, path string) string {
	if path == "/" {
		return path
	}
	names := strings.Split(path, "/")
	for i := range names {
		last := i == len(names)-1
		n := s.At(path)
		names[i] = r.component(names[i], last && (n == nil || n.Ephemeral()))
	}
	return strings.Join(names, "/")
}

// component is the name of a znode. Names of participants are only taken for such where nothing can stand below: elsewhere the
// same word may be a part of the structure.
func (r *Redactor) component(name string, ephemeral bool) string {
	who, number := stem(name)
	if _, there := r.names.by[who]; there && r.what.Names && ephemeral {
		return r.names.pseudonym(who, false) + number
	}
	if !r.what.Addresses {
		return name
	}
	if _, there := r.hosts.by[name]; there && ephemeral {
		return r.hosts.pseudonym(name, false)
	}
	return r.elsewhere(name)
}

// ipv4 are IPv4 addresses. They are looked for first: lock:10.0.0.1 is no host of the port 10.
var ipv4 = regexp.MustCompile(`\d{1,3}(?:\.\d{1,3}){3}`)

// addresses are other IP addresses, and hosts that a port follows.
var addresses = regexp.MustCompile(`%2[Ff]%2[Ff][A-Za-z0-9.-]+|\[[0-9a-fA-F:.]+\]|\b[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?(?:\.[A-Za-z0-9-]+)*:\d{2,5}\b`)

// spans are the places of the IPv4 addresses of a text, and of what an expression finds between them, in order.
func spans(text string, others *regexp.Regexp) (out [][]int) {
	from := 0
	for _, ip := range append(ipv4.FindAllStringIndex(text, -1), []int{len(text), len(text)}) {
		for _, o := range others.FindAllStringIndex(text[from:ip[0]], -1) {
			out = append(out, []int{from + o[0], from + o[1]})
		}
		if ip[1] > ip[0] {
			out = append(out, ip)
		}
		from = ip[1]
	}
	return out
}

// elsewhere is a text outside of data, with its addresses replaced.
func (r *Redactor) elsewhere(text string) string {
	var out strings.Builder
	last := 0
	for _, s := range spans(text, addresses) {
		out.WriteString(text[last:s[0]] + r.address(text[s[0]:s[1]], false))
		last = s[1]
	}
	return out.String() + text[last:]
}

// inData are those, names with dots that end as those of hosts do, and what JSON or properties say to be a host.
var inData = regexp.MustCompile(`(?i)` + instant + `|"[a-z_]*(?:host|hostname|addr|address|ip)"\s*:\s*"[^"\\]+"|` + addresses.String() +
	`|\b[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9-]+)*\.[a-z]{2,}\b|(?:[0-9a-f]{0,4}:){2,7}[0-9a-f]{1,4}\b`)

// address is the pseudonym of an address that was found in a text, with its port.
func (r *Redactor) address(found string, sameLength bool) string {
	if strings.HasPrefix(found, `"`) { // "key": "value"
		at := strings.LastIndexByte(found[:len(found)-1], '"') + 1
		return found[:at] + r.address(found[at:len(found)-1], sameLength) + `"`
	}
	if isInstant(found) {
		return found
	}
	if len(found) > 6 && strings.EqualFold(found[:6], "%2f%2f") { // in a URL that is a znode's name
		return found[:6] + r.address(found[6:], sameLength)
	}
	h := host(found)
	bare := strings.Trim(h, "[]")
	at := strings.Index(found, bare)
	if h == found && strings.ContainsRune(bare, ':') {
		if _, err := netip.ParseAddr(bare); err != nil {
			return found // a time of day
		}
	}
	if digits(bare) {
		return found // the same
	}
	if r.hosts.add(bare); r.hosts.by[bare] == 0 {
		return found
	}
	return found[:at] + r.hosts.pseudonym(bare, sameLength) + found[at+len(bare):]
}

// text is a text of ours that may name addresses.
func (r *Redactor) text(text string) string {
	if !r.what.Addresses {
		return text
	}
	if h := host(text); r.hosts.by[h] > 0 {
		return strings.Replace(text, h, r.hosts.pseudonym(h, false), 1)
	}
	return r.elsewhere(text)
}

// spoken are words that recipes and systems speak with; what holds them is decoded by them.
var spoken = sync.OnceValue(func() (out []string) {
	out = []string{"COMMIT", "ABORT", "ACQUIRED", "DYNAMIC", "kraftControllerEpoch", "multiple leaders", "PBUF", "bookieId", "<unknown>"}
	for _, l := range layout.Layouts() {
		for _, word := range []string{l.Data, l.Within, l.Noise, l.Revoke} {
			if word != "" && !slices.Contains(out, word) {
				out = append(out, word)
			}
		}
	}
	slices.SortFunc(out, func(a, b string) int { return len(b) - len(a) })
	return out
})

// data is what a znode holds. What is kept of it is what decoding needs: the form, the keys, the words that recipes speak with,
// numbers and times.
func (r *Redactor) data(text string) string {
	if layout.IsVote([]byte(text)) || slices.Contains(spoken(), text) || digits(strings.Trim(text, "-. \n")) {
		return text
	}
	if n := len(text) - 1; n >= 2 && text[0] == 'b' && (text[1] == '\'' || text[1] == '"') && text[n] == text[1] {
		return text[:2] + r.data(text[2:n]) + text[n:] // bytes as Python prints them: who wrote it is told by what is inside
	}
	binary := !layout.IsText([]byte(text))
	var out strings.Builder
	json := strings.HasPrefix(strings.TrimSpace(text), "{")
	hidden := 0 // from here on what is rest
	rest := func(to int) {
		if to > hidden {
			out.WriteString(r.rest(text[hidden:to], binary, json))
		}
	}
	hosts := spans(text, inData)
	for i := 0; i < len(text); {
		for len(hosts) > 0 && hosts[0][0] < i {
			hosts = hosts[1:]
		}
		end, is := i, ""
		if name, found := r.names.at(text, i); found && begins(text, i) && !strings.HasPrefix(text[i+len(name):], `":`) {
			if is = name; r.what.Names {
				is = r.names.pseudonym(name, binary)
			}
			end = i + len(name)
		} else if name, found := r.hosts.at(text, i); found && begins(text, i) {
			if is = name; r.what.Addresses {
				is = r.hosts.pseudonym(name, binary)
			}
			end = i + len(name)
		} else if len(hosts) > 0 && hosts[0][0] == i {
			found := text[i:hosts[0][1]]
			if is = found; r.what.Addresses {
				is = r.address(found, binary)
			}
			if end = hosts[0][1]; is == found && r.what.Addresses {
				end = i // none after all
			}
		}
		if end == i {
			i++
			continue
		}
		rest(i)
		out.WriteString(is)
		number := len(numbered.FindString(text[end:])) // it tells two of them apart
		out.WriteString(text[end : end+number])
		i, hidden = end+number, end+number
	}
	rest(len(text))
	return out.String()
}

// numbered is the number of a process, an instance or a port behind a name.
var numbered = regexp.MustCompile(`^(?:@-@|[-:])\d{1,7}\b`)

// instant is a time, which may look like an address to whoever is not careful.
const instant = `\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d[0-9.]*(?:Z|[+-]\d\d:?\d\d)?`

// isInstant reports whether a text begins with a time.
var isInstant = regexp.MustCompile(`^` + instant).MatchString

// plain are values of JSON that are no texts, or texts of digits.
const plain = `(?:"-?\d+"|(?:-?\d+(?:\.\d+)?|true|false|null)\b)`

// kept are the names of any data that stay: times, and keys of properties; inJSON those of JSON: keys, numbers, true, false and
// null, too.
var (
	kept   = regexp.MustCompile(instant + `|(?m:^[A-Za-z][A-Za-z0-9_.-]{0,63}\s*=)`)
	inJSON = regexp.MustCompile(kept.String() + `|(?i:"[a-z_]*session[a-z_]*"\s*:\s*"(?:0x)?[0-9a-f]{1,16}"|"(?:state|status|role|type)"\s*:\s*"[a-z_ ]{1,24}"|"true")|"[^"\\]{1,64}"\s*:(?:\s*` + plain + `)?|[\[,]\s*` + plain)
)

// rest is data that is neither a name nor an address.
func (r *Redactor) rest(text string, binary, json bool) string {
	if !r.what.Data {
		return text
	}
	hide := blank
	if binary {
		hide = blankRuns
	}
	var out strings.Builder
	last := 0
	for _, k := range staying(text, json) {
		if k[0] < last {
			continue
		}
		out.WriteString(hide(text[last:k[0]]))
		out.WriteString(text[k[0]:k[1]])
		last = k[1]
	}
	out.WriteString(hide(text[last:]))
	return out.String()
}

// staying are the places of what stays.
func staying(text string, json bool) [][]int {
	out := kept.FindAllStringIndex(text, -1)
	if json {
		out = inJSON.FindAllStringIndex(text, -1)
	}
	for _, word := range spoken() {
		if at := strings.Index(text, word); at >= 0 && len(word) > 2 {
			out = append(out, []int{at, at + len(word)})
		}
	}
	sorted.By(out, func(a, b []int) int { return a[0] - b[0] })
	return out
}

// runs are what reads as words in data that is not text; single bytes may be lengths and numbers.
var runs = regexp.MustCompile(`[ -~]{3,}`)

// blankRuns is data that is not text, with its words blanked.
func blankRuns(text string) string { return runs.ReplaceAllStringFunc(text, blank) }
