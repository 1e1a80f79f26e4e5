package look

import (
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/zkscope/zkscope/internal/cli/world"
)

// someServers stands for the servers in a command that a file led to: pasted as it is, it reaches none.
const someServers = "--servers 'SERVERS'"

// reaching are the flags that say how servers are reached and what stands where: a command that is offered takes those that
// were given.
var reaching = []string{"config", "session-timeout", "timeout", "auth-file", "ask-password", "jaas", "keytab", "sasl-service", "sasl-host", "prefer-observer", "tls", "tls-ca", "tls-cert",
	"tls-key", "tls-name", "tls-min", "tls-password-file", "map", "admin", "4lw", "hint", "audit-log"}

// Reached are the words by which a command that is offered reaches the servers that this one has read, as it did.
func (r *Reading) Reached() string {
	words := []string{"--servers " + world.ShellWord(r.Query.Name)}
	switch {
	case r.Flags.From != "":
		words[0] = someServers
	case r.ProfileInUse() != "":
		words[0] = "--profile " + world.ShellWord(r.ProfileInUse())
	}
	for _, name := range reaching {
		f := r.Given.Lookup(name)
		if f == nil || !f.Changed || r.Flags.From != "" && name != "hint" {
			continue
		}
		for _, v := range r.given(f) {
			words = append(words, "--"+name+v)
		}
	}
	return strings.Join(words, " ")
}

// given are the values of a flag of the command line, each as it is written after the flag.
func (r *Reading) given(f *pflag.Flag) (out []string) {
	switch v := f.Value.(type) {
	case pflag.SliceValue:
		values := v.GetSlice()
		if f.Name == "hint" {
			values = values[:len(values)-len(r.Cfg.Hints)] // those of the configuration come after
		}
		for _, text := range values {
			out = append(out, " "+world.ShellWord(text))
		}
	default:
		if f.Name == "map" {
			for from, to := range r.Flags.Access.Routes {
				out = append(out, " "+world.ShellWord(from+"="+to))
			}
			slices.Sort(out)
			return out
		}
		if f.Value.Type() == "bool" {
			return []string{"=" + f.Value.String()}
		}
		out = append(out, " "+world.ShellWord(f.Value.String()))
	}
	return out
}
