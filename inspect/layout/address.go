package layout

import (
	"bytes"
	"net/netip"
)

// IsAddress reports whether a name is an IP address and nothing more: what a library writes when
// nobody told it a name, and what many participants may share.
func IsAddress(name string) bool {
	_, err := netip.ParseAddr(name)
	return err == nil
}

// HasPort reports whether data is host:port.
func HasPort(data []byte) bool {
	i := bytes.LastIndexByte(data, ':')
	if i <= 0 || i == len(data)-1 || len(data)-i > 6 {
		return false
	}
	for _, c := range data[i+1:] {
		if !IsDigit(c) {
			return false
		}
	}
	return true
}
