package inspect

import (
	"encoding/binary"
	"strconv"
	"strings"
)

// The counter: a znode whose data is a number, changed by compare and set on its version.
//
// Layouts, the data of a znode without children:
//
//	4 bytes, big endian       Curator SharedCount and DistributedAtomicInteger; kazoo Counter for Curator
//	8 bytes, big endian       Curator DistributedAtomicLong
//	decimal text              kazoo Counter, a float at times; Kafka's controller_epoch; ours
//
// Four or eight bytes that are readable text are read as text. The number of changes is the version.
var counterKind = kindRow{kind: Counter, weigh: nothing, build: buildCounter}

func buildCounter(x *dir, why []Evidence) *Model {
	data := x.node.Data
	value, form := countIn(data)
	d := ZooKeeper
	if form == binaryNumber {
		d = Curator
	}
	b := x.recipe(Counter, x.placed(d), 0.5, why)
	b.payload = true
	state, text := HasValue, isCount
	switch form {
	case noNumber:
		text = isNoNumber
	case realNumber:
		text = isFraction
	case emptyNumber:
		state, text = Empty, isNoCount
	default:
		b.model.Numbers.set("value", value)
	}
	b.item(x.node, x.path, Value, text)
	return b.settleValue(state)
}

// numberForm says how a counter's data was read.
type numberForm uint8

const (
	noNumber numberForm = iota
	emptyNumber
	textNumber
	realNumber
	binaryNumber
)

// countIn reads a counter's data.
func countIn(data []byte) (int64, numberForm) {
	text := strings.TrimSpace(string(data))
	if v, err := strconv.ParseInt(text, 10, 64); err == nil && len(text) < 24 {
		return v, textNumber
	}
	if len(text) < 32 && text != "" && isNumeric(text) {
		if _, err := strconv.ParseFloat(text, 64); err == nil {
			return 0, realNumber
		}
	}
	switch {
	case len(data) == 0:
		return 0, emptyNumber
	case plain(string(data)):
		return 0, noNumber
	case len(data) == 4:
		return int64(int32(binary.BigEndian.Uint32(data))), binaryNumber
	case len(data) == 8:
		return int64(binary.BigEndian.Uint64(data)), binaryNumber
	}
	return 0, noNumber
}

func isNumeric(text string) bool { return strings.Trim(text, "0123456789+-.eE") == "" }

func itoa(v int64) string { return strconv.FormatInt(v, 10) }
