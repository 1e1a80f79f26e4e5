package layout

import "strings"

// Spelling is how one name is spelled. Names that differ from it in their number, and in what is random in their guard,
// and in nothing else, are taken apart at a small part of what ParseName costs: most names of one line are such.
type Spelling struct {
	of   Name
	from int // where the text after a guard of fixed length begins, which such names share; -1: there is no such name
}

// Spelling is the name's.
func (n *Name) Spelling() Spelling {
	s := Spelling{*n, -1}
	if !n.HasSeq || n.Requeued || n.Ambiguous || len(n.Text)-n.seqAt != 10 || n.Text[n.seqAt] != '0' {
		return s // a number that begins with another digit may be read in two ways
	}
	switch n.Guard {
	case NoGuard:
		s.from = 0
	case TextGuard: // the recipe documents' own
		if strings.HasPrefix(n.Text, n.GUID) && IsUUID(n.GUID) {
			s.from = uuidLen
		}
	case HexGuard:
		s.from = HexLen
	case CuratorGuard:
		s.from = len("_c_") + uuidLen + 1
	case GoGuard:
		s.from = len("_c_") + HexLen + 1
	}
	return s
}

// Parse takes a name apart, as ParseName does. same reports whether it was known to be spelled alike.
func (s *Spelling) Parse(text string) (n Name, same bool) {
	if n, same = s.Match(text); !same {
		n = ParseName(text)
	}
	return n, same
}

// Match is Parse without the help of ParseName: same reports whether the name was taken apart.
func (s *Spelling) Match(text string) (n Name, same bool) {
	at := s.of.seqAt
	if s.from < 0 || len(text) != len(s.of.Text) || text[s.from:at] != s.of.Text[s.from:at] || text[at] != '0' {
		return n, false
	}
	n = s.of
	n.Text, n.Seq = text, 0
	for i := at + 1; i < len(text); i++ {
		if !IsDigit(text[i]) {
			return n, false
		}
		n.Seq = n.Seq*10 + int32(text[i]-'0')
	}
	switch n.Guard {
	case TextGuard:
		n.GUID = text[:uuidLen]
		return n, IsUUID(n.GUID)
	case HexGuard:
		n.GUID = text[:HexLen]
		return n, isHex(n.GUID)
	case CuratorGuard, GoGuard:
		n.GUID = text[len("_c_") : s.from-1]
		if text[:len("_c_")] != "_c_" || text[s.from-1] != '-' {
			return n, false
		}
		return n, n.Guard == GoGuard && isHex(n.GUID) || n.Guard == CuratorGuard && IsUUID(n.GUID)
	}
	return n, true
}

// hexes has 1 for digits of hexadecimal numbers as they are mostly written, 2 for capital ones.
var hexes = func() (out [256]uint8) {
	for c := range 256 {
		switch b := byte(c); {
		case IsDigit(b) || b >= 'a' && b <= 'f':
			out[c] = 1
		case b >= 'A' && b <= 'F':
			out[c] = 2
		}
	}
	return out
}()
