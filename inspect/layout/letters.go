package layout

// IsDigits reports whether a text is made of ASCII digits, one at least.
func IsDigits(s string) bool {
	for i := 0; i < len(s); i++ {
		if !IsDigit(s[i]) {
			return false
		}
	}
	return s != ""
}

// IsUpperHex reports whether a text is made of hexadecimal digits without small letters.
func IsUpperHex(s string) bool {
	for i := 0; i < len(s); i++ {
		if !IsDigit(s[i]) && !(s[i] >= 'A' && s[i] <= 'F') {
			return false
		}
	}
	return true
}

// IsUUID reports whether s, 36 bytes long, is a dashed uuid in either case.
func IsUUID(s string) bool {
	for i := 0; i < len(s); i++ {
		if i == 8 || i == 13 || i == 18 || i == 23 {
			if s[i] != '-' {
				return false
			}
		} else if hexes[s[i]] == 0 {
			return false
		}
	}
	return len(s) == uuidLen
}

func isHex(s string) bool {
	for i := 0; i < len(s); i++ {
		if hexes[s[i]] != 1 {
			return false
		}
	}
	return true
}

// IsDigit reports whether a byte is an ASCII digit.
func IsDigit(c byte) bool { return c >= '0' && c <= '9' }

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// IsBareHex reports whether a name is a random id of 32 hexadecimal digits and nothing more.
func IsBareHex(name string) bool { return len(name) == HexLen && isHex(name) }

// IsParty reports whether a name is one of kazoo's Party or ShallowParty.
func IsParty(name string) bool {
	if len(name) <= HexLen+1 || !isHex(name[:HexLen]) {
		return false
	}
	return name[HexLen:] == "__party__" || name[HexLen] == '-'
}
