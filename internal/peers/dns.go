package peers

import (
	"context"
	"encoding/binary"
	"net"
	"slices"
	"strings"
	"testing"
)

// NameServer returns a resolver that asks a DNS server in this process, which knows SRV records by name and ends with the test.
func NameServer(t testing.TB, records map[string][]net.SRV) *net.Resolver {
	t.Helper()
	l, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	t.Cleanup(func() { l.Close(); <-done })
	go func() {
		defer close(done)
		buf := make([]byte, 1500)
		for {
			n, from, err := l.ReadFrom(buf)
			if err != nil {
				return
			}
			_, _ = l.WriteTo(dnsAnswer(buf[:n], records), from)
		}
	}()
	return &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "udp", l.LocalAddr().String())
	}}
}

// dnsAnswer answers one question, as RFC 1035 spells it.
func dnsAnswer(question []byte, records map[string][]net.SRV) []byte {
	name, at := "", 12
	for question[at] != 0 {
		name += string(question[at+1:at+1+int(question[at])]) + "."
		at += 1 + int(question[at])
	}
	found, ok := records[strings.TrimSuffix(name, ".")]
	out := append(slices.Clone(question[:2]), 0x81, 0x80, 0, 1, 0, byte(len(found)), 0, 0, 0, 0)
	if !ok {
		out[3] |= 3 // no such name
	}
	out = append(out, question[12:at+5]...)
	for _, r := range found {
		target := []byte{}
		for label := range strings.SplitSeq(strings.TrimSuffix(r.Target, "."), ".") {
			target = append(append(target, byte(len(label))), label...)
		}
		target = append(target, 0)
		out = append(out, 0xc0, 12, 0, 33, 0, 1, 0, 0, 0, 9)
		out = binary.BigEndian.AppendUint16(out, uint16(6+len(target)))
		out = binary.BigEndian.AppendUint16(out, r.Priority)
		out = binary.BigEndian.AppendUint16(out, r.Weight)
		out = binary.BigEndian.AppendUint16(out, r.Port)
		out = append(out, target...)
	}
	return out
}
