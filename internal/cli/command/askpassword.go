package command

import (
	"errors"
	"fmt"
	"strings"

	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/internal/cli/world"
)

// asked is a password that whoever sits at the terminal types, once for each thing that has one.
// instead says how to give it where nobody can be asked, as late: when the screen is drawn.
func (a *Access) asked(w world.World, what string, late bool, instead string) (string, error) {
	if p, ok := a.typed.Load(what); ok {
		return p.(string), nil
	}
	if !w.InTTY || late {
		return "", errors.New(instead)
	}
	fmt.Fprintf(w.Err, "password of %s: ", say.Printable(what))
	p, err := w.ReadSecret()
	fmt.Fprintln(w.Err)
	if err != nil {
		return "", fmt.Errorf("the password was not read: %w", err)
	}
	a.typed.Store(what, p)
	return p, nil
}

// complete puts the password that is to be asked for behind a credential without one. A principal of Kerberos has one instead of
// its tickets; not where it has a keytab.
func (a *Access) complete(line string, w world.World) (string, error) {
	scheme, user, ok := strings.Cut(line, ":")
	if !ok || user == "" || strings.Contains(user, ":") {
		return line, nil
	}
	if scheme != "digest" && scheme != "sasl" && (scheme != "kerberos" || a.keytab != "") {
		return line, nil
	}
	p, err := world.WhileReading(func() (string, error) {
		return a.asked(w, scheme+":"+user, false, "--ask-password: there is no terminal to ask at; give the password in $"+AuthVar+" or --auth-file, or for Kerberos a --keytab")
	})
	return line + ":" + p, err
}
