package layout

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/zkscope/zkscope/inspect/say"
)

// Names of participants in structured data: JSON of many systems, protocol buffers of HBase and Hadoop.

// nested lists where systems write who they are inside a JSON object: the key, then what to look for in it.
var nested = []struct{ key, in string }{
	{"simpleFields", "LIVE_INSTANCE"}, // Helix
	{"serviceEndpoint", ""},           // server sets
	{"endpoints", ""},                 // Kafka's brokers without a plain listener
	{"descriptors", ""},               // Accumulo
}

// urlKeys are the keys under which systems write the URL at which they can be had.
var urlKeys = []string{"serviceUrl", "nativeUrl", "httpUrl", "base_url"}

// nameInJSON reads a name from a JSON object: what systems nest, else an id, else host and port, else a URL.
func nameInJSON(data []byte) string {
	var fields map[string]any
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	if dec.Decode(&fields) != nil {
		return ""
	}
	if name := nameIn1(fields, true); name != "" {
		return name
	}
	return pickName(Texts(fields))
}

// nameOfMaster reads the host and port of a Mesos master, whose id is random, else its process.
func nameOfMaster(data []byte) string {
	var fields map[string]any
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	if dec.Decode(&fields) != nil {
		return ""
	}
	if name := HostIn(Texts(fields)); name != "" {
		return name
	}
	return Texts(fields)("pid")
}

// AddressIn reads the address that Vault's active node advertises.
func AddressIn(data []byte) string {
	var said struct {
		Redirect string `json:"redirect_addr"`
		Cluster  string `json:"cluster_addr"`
	}
	if json.Unmarshal(data, &said) != nil {
		return ""
	}
	if said.Redirect == "" {
		said.Redirect = said.Cluster
	}
	return hostInURL(said.Redirect)
}

// nameIn1 looks into the nested fields of an object.
func nameIn1(fields map[string]any, first bool) string {
	if _, plainHost := fields["host"].(string); plainHost && first {
		return ""
	}
	if weights, ok := fields["weights"].(map[string]any); ok && len(weights) > 0 {
		return hostInURL(slices.Min(slices.Collect(maps.Keys(weights)))) // rest.li's D2
	}
	for _, n := range nested {
		switch v := fields[n.key].(type) {
		case map[string]any:
			if n.in == "" {
				return pickName(Texts(v))
			}
			if s := Texts(v)(n.in); s != "" {
				return s
			}
		case []any:
			if len(v) == 0 {
				continue
			}
			if m, ok := v[0].(map[string]any); ok {
				return pickName(Texts(m))
			}
			if s, ok := v[0].(string); ok {
				return hostInURL(s)
			}
		}
	}
	return ""
}

// Texts reads the scalars of an object as text. The name of a service is not that of its instance.
func Texts(fields map[string]any) func(string) string {
	_, discovery := fields["serviceType"]
	return func(key string) string {
		switch v := fields[key].(type) {
		case string:
			if discovery && key == "name" {
				return ""
			}
			return v
		case json.Number:
			return v.String()
		}
		return ""
	}
}

// hostInURL returns the host and port of a URL, or the text itself when it has no scheme.
func hostInURL(text string) string {
	_, rest, ok := strings.Cut(text, "://")
	if !ok {
		return text
	}
	rest, _, _ = strings.Cut(rest, "/")
	if i := strings.LastIndexByte(rest, '@'); i >= 0 {
		rest = rest[i+1:]
	}
	return rest
}

// protoFields reads the fields of one protocol buffers message: numbers and bytes by field number, the
// first of each. ok is false when the bytes are no such message.
func protoFields(data []byte) (numbers map[uint64]uint64, texts map[uint64][]byte, ok bool) {
	numbers, texts = make(map[uint64]uint64), make(map[uint64][]byte)
	for len(data) > 0 {
		tag, n := binary.Uvarint(data)
		if n <= 0 || tag>>3 == 0 {
			return nil, nil, false
		}
		data = data[n:]
		field := tag >> 3
		switch tag & 7 {
		case 0:
			v, n := binary.Uvarint(data)
			if n <= 0 {
				return nil, nil, false
			}
			numbers[field], data = v, data[n:]
		case 1, 5:
			size := map[uint64]int{1: 8, 5: 4}[tag&7]
			if len(data) < size {
				return nil, nil, false
			}
			data = data[size:]
		case 2:
			size, n := binary.Uvarint(data)
			if n <= 0 || size > uint64(len(data)-n) {
				return nil, nil, false
			}
			if texts[field] == nil {
				texts[field] = data[n : n+int(size)]
			}
			data = data[n+int(size):]
		default:
			return nil, nil, false
		}
	}
	return numbers, texts, true
}

// nameInHadoop reads Hadoop's ActiveNodeInfo (nameservice, namenode, host, port) or YARN's
// ActiveRMInfoProto (cluster, resource manager).
func nameInHadoop(data []byte) string {
	numbers, texts, ok := protoFields(data)
	switch {
	case !ok:
		return ""
	case len(texts[3]) > 0 && numbers[4] > 0:
		return string(texts[3]) + ":" + strconv.FormatUint(numbers[4], 10)
	case len(texts[2]) <= MaxOwner && say.Plain(string(texts[2])):
		return string(texts[2])
	}
	return ""
}

// nameInMesos reads Mesos' MasterInfo: its fifth field is the host's name, the third its port, the fourth the
// process, as master@address:port.
func nameInMesos(data []byte) string {
	numbers, texts, ok := protoFields(data)
	switch {
	case !ok:
		return ""
	case len(texts[5]) > 0 && say.Plain(string(texts[5])) && numbers[3] > 0:
		return string(texts[5]) + ":" + strconv.FormatUint(numbers[3], 10)
	case len(texts[4]) <= MaxOwner && say.Plain(string(texts[4])):
		return string(texts[4])
	}
	return ""
}

// nameInHBase reads HBase's data: 0xff, a length, the writer's id, then PBUF and a message whose first
// field is a server's host, port and start time, or whose owner is one (a table lock's second field).
func nameInHBase(data []byte) string {
	at := bytes.Index(data, []byte("PBUF"))
	if at < 0 {
		return ""
	}
	_, texts, ok := protoFields(data[at+4:])
	if !ok {
		return ""
	}
	for _, field := range []uint64{1, 2} {
		numbers, server, ok := protoFields(texts[field])
		if ok && len(server[1]) > 0 && len(server[1]) <= MaxOwner && say.Plain(string(server[1])) && numbers[2] > 0 {
			return string(server[1]) + ":" + strconv.FormatUint(numbers[2], 10)
		}
	}
	return ""
}

// nameInHive reads the query and the client's address from the data of Hive's locks: the query's id, the
// time, how the lock was asked for, the query's text, the address, with colons between.
func nameInHive(text string) string {
	fields := strings.SplitN(text, ":", 5)
	if len(fields) < 5 || len(text) > 4*MaxOwner {
		return ""
	}
	return fields[0] + "@" + fields[4]
}

// NameInJava reads the address at the beginning of serialized Java data: a stream's header, a block, and
// in it a text with its length before it.
func NameInJava(data []byte) string {
	if len(data) < 8 || data[0] != 0xac || data[1] != 0xed || data[4] != 0x77 {
		return ""
	}
	n := int(binary.BigEndian.Uint16(data[6:]))
	if n == 0 || n > MaxOwner || len(data) < 8+n || !say.Plain(string(data[8:8+n])) {
		return ""
	}
	return hostInURL(string(data[8 : 8+n]))
}
