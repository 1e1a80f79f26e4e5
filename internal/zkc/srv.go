package zkc

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"slices"
	"strconv"
	"strings"
)

// srvScheme begins a connect string whose servers are looked up in the DNS.
const srvScheme = "srv://"

// Resolve looks up the servers that [ParseConnect] returned for srv://NAME; any others it returns as they are. The records are
// those of _zookeeper._tcp.NAME, or of NAME itself where that begins with an underscore. The servers come in the order of their
// priorities, then of their names. Errors match ErrUnreachable. A nil resolver is the system's.
func Resolve(ctx context.Context, r *net.Resolver, servers []string) ([]string, error) {
	if len(servers) != 1 || !strings.HasPrefix(servers[0], srvScheme) {
		return servers, nil
	}
	if r == nil {
		r = net.DefaultResolver
	}
	name := strings.TrimPrefix(servers[0], srvScheme)
	full := name
	if !strings.HasPrefix(name, "_") {
		full = "_zookeeper._tcp." + name
	}
	_, records, err := r.LookupSRV(ctx, "", "", full)
	var dns *net.DNSError
	switch {
	case errors.As(err, &dns) && dns.IsNotFound, err == nil && len(records) == 0:
		return nil, fmt.Errorf("%s: the DNS has no SRV record of %s: give the record's whole name, as srv://_client._tcp.%s%w", servers[0], full,
			strings.TrimPrefix(name, "_"), silent{ErrUnreachable})
	case err != nil:
		return nil, fmt.Errorf("%s: cannot look up the SRV records of %s: %w%w", servers[0], full, err, silent{ErrUnreachable})
	}
	slices.SortStableFunc(records, func(a, b *net.SRV) int {
		return cmp.Or(cmp.Compare(a.Priority, b.Priority), cmp.Compare(a.Target, b.Target), cmp.Compare(a.Port, b.Port))
	})
	var out []string
	for _, rec := range records {
		addr := net.JoinHostPort(strings.TrimSuffix(rec.Target, "."), strconv.Itoa(int(rec.Port)))
		if !slices.Contains(out, addr) {
			out = append(out, addr)
		}
	}
	return out, nil
}

// parseSRV reads a connect string that begins with srv://, and may end with a chroot.
func parseSRV(s string) (servers []string, chroot string, err error) {
	name, rest, _ := strings.Cut(strings.TrimPrefix(s, srvScheme), "/")
	if name == "" || strings.ContainsAny(name, " \t,:@") {
		return nil, "", fmt.Errorf("connect string %q: after srv:// stands one name and no port: the records have the ports", s)
	}
	if chroot, err = cleanChroot("/" + rest); err != nil {
		return nil, "", fmt.Errorf("connect string %q: %w", s, err)
	}
	return []string{srvScheme + name}, chroot, nil
}
