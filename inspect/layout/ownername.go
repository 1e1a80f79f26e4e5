package layout

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// MaxOwner is how long a text may be, in bytes, and still be a name.
const MaxOwner = 256

// NameIn reads a participant's name from its data; empty when there is none.
func NameIn(data []byte, l *Layout) string {
	if len(data) == 0 || IsRevokeWord(data) || l != nil && l.Noise != "" && string(data) == l.Noise {
		return ""
	}
	switch {
	case data[0] == 0xac:
		return NameInJava(data)
	case l != nil && l.ID == "HIVE-LOCK":
		return nameInHive(string(data))
	case data[0] == 0xff && bytes.Contains(data, []byte("PBUF")):
		return nameInHBase(data)
	case l != nil && l.Dialect == Hadoop && data[0] < 0x20:
		return nameInHadoop(data)
	case l != nil && l.Dialect == Mesos && data[0] == '\n':
		return nameInMesos(data)
	}
	text := bytes.TrimSpace(data)
	switch {
	case len(text) == 0:
		return ""
	case text[0] == '{' && l != nil && l.Dialect == Mesos:
		return nameOfMaster(data)
	case text[0] == '{':
		return nameInJSON(data)
	case bytes.HasPrefix(text, []byte("bookieId:")):
		return nameInProto(string(text))
	case bytes.IndexByte(text, '\n') >= 0 && bytes.IndexByte(text, '=') >= 0:
		return nameInProperties(string(text))
	case len(data) > MaxOwner:
		return ""
	case len(text) >= 3 && text[0] == 'b' && (text[1] == '\'' || text[1] == '"') && text[len(text)-1] == text[1]:
		data = text[2 : len(text)-1]
	}
	if !IsText(data) {
		return ""
	}
	return string(data)
}

// IsText reports whether data may be a name: it is UTF-8, and has none of the control characters that only numbers and
// lengths in binary data look like. Those that terminals obey are text, and are made harmless where they are shown.
func IsText(data []byte) bool {
	if !utf8.Valid(data) {
		return false
	}
	return bytes.IndexFunc(data, func(r rune) bool { return r < '\a' || r > '\r' && r < 0x20 && r != 0x1b }) < 0
}

// IsRevokeWord reports whether data is a word that asks a holder to let go.
func IsRevokeWord(data []byte) bool {
	return string(data) == RevokeUnlock || string(data) == RevokeCurator
}

// nameInProperties reads lines of the form key = value.
func nameInProperties(text string) string {
	fields := make(map[string]string)
	for line := range strings.Lines(text) {
		if key, value, ok := strings.Cut(line, "="); ok {
			fields[strings.TrimSpace(key)] = strings.TrimSpace(value)
		}
	}
	return pickName(func(key string) string { return fields[key] })
}

// nameInProto reads the bookie's id from BookKeeper's text protocol buffers.
func nameInProto(text string) string {
	_, rest, _ := strings.Cut(text, `"`)
	id, _, _ := strings.Cut(rest, `"`)
	return id
}

// pickName returns the id among named fields, else host:port.
func pickName(field func(string) string) string {
	random := ""
	for _, key := range idKeys {
		switch v := field(key); {
		case strings.TrimSpace(v) == "" || len(v) > MaxOwner:
		case !isRandom(v):
			return v
		case random == "":
			random = v
		}
	}
	if v := HostIn(field); v != "" {
		return v
	}
	for _, key := range lateKeys {
		if v := field(key); v != "" && len(v) <= MaxOwner {
			return v
		}
	}
	return random
}

// isRandom reports whether an id tells people nothing: a uuid or a long hexadecimal number.
func isRandom(id string) bool {
	return IsUUID(id) || len(id) >= 16 && isHex(strings.ToLower(id)) && !IsDigits(id)
}

// HostIn returns host:port among named fields, else a URL's.
func HostIn(field func(string) string) string {
	for _, key := range hostKeys {
		v := field(key)
		if strings.TrimSpace(v) == "" || len(v) > MaxOwner {
			continue
		}
		if port := field("port"); port != "" && len(port) <= 8 {
			return v + ":" + port
		}
		return v
	}
	for _, key := range urlKeys {
		if v := field(key); v != "" && len(v) <= MaxOwner {
			return hostInURL(v)
		}
	}
	return ""
}

// idKeys and hostKeys are the keys under which libraries and systems write who they are, best first.
var (
	idKeys   = []string{"id", "instanceId", "identifier", "name", "holder", "owner", "brokerid"}
	lateKeys = []string{"brokerId", "leader"}
	hostKeys = []string{"hostName", "hostname", "HostName", "host", "address", "addr", "admin_addr", "ip"}
)
