package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/zkscope/zkscope/internal/cli"
)

// pageName is a command's page: zkscope-ls.
func pageName(c *cobra.Command) string { return strings.ReplaceAll(c.CommandPath(), " ", "-") }

// text spells text so that roff prints it as it is.
func text(s string) string {
	s = strings.NewReplacer(`\`, `\e`, "-", `\-`, "'", `\(aq`, "`", `\(ga`, "^", `\(ha`, "~", `\(ti`).Replace(s)
	if strings.HasPrefix(s, ".") {
		s = `\&` + s
	}
	return s
}

// lines spells several lines, each as a line of its own.
func lines(s string) string {
	var out []string
	for line := range strings.Lines(s) {
		out = append(out, text(strings.TrimRight(line, "\n")))
	}
	return strings.Join(out, "\n")
}

// roff is the manual page of a command.
func roff(c *cobra.Command, version, date string) string {
	var b strings.Builder
	fmt.Fprintf(&b, ".TH %q 1 %q %q \"zkscope\"\n", strings.ToUpper(pageName(c)), date, "zkscope "+version)
	b.WriteString(".nh\n.ad l\n") // what is typed is not to be broken
	fmt.Fprintf(&b, ".SH NAME\n%s \\- %s\n", text(pageName(c)), text(c.Short))
	fmt.Fprintf(&b, ".SH SYNOPSIS\n.B %s\n%s\n", text(c.CommandPath()), text(takes(c)))
	if c.HasAvailableSubCommands() {
		fmt.Fprintf(&b, ".br\n.B %s\nCOMMAND ...\n", text(c.CommandPath()))
	}
	long := c.Long
	if long == "" {
		long = strings.ToUpper(c.Short[:1]) + c.Short[1:] + "."
	}
	b.WriteString(".SH DESCRIPTION\n")
	for i, part := range strings.Split(long, "\n\n") {
		if i > 0 {
			b.WriteString(".PP\n")
		}
		b.WriteString(described(part))
	}
	if c.HasAvailableSubCommands() {
		b.WriteString(".SH COMMANDS\n")
		for _, sub := range c.Commands() {
			if sub.IsAvailableCommand() {
				fmt.Fprintf(&b, ".TP\n.BR %s (1)\n%s\n", text(pageName(sub)), text(sub.Short))
			}
		}
	}
	if flags := options(c.LocalFlags()); flags != "" {
		b.WriteString(".SH OPTIONS\n" + flags)
	}
	if c.HasParent() {
		b.WriteString(".PP\nEvery command takes the options of\n.BR zkscope (1)\ntoo.\n")
	}
	if c.Example != "" {
		fmt.Fprintf(&b, ".SH EXAMPLES\n.nf\n%s\n.fi\n", lines(c.Example))
	}
	if !c.HasParent() {
		b.WriteString(exits() + common)
		return b.String()
	}
	b.WriteString(".SH SEE ALSO\n.BR zkscope (1)\n")
	return b.String()
}

// takes is what stands behind a command's name.
func takes(c *cobra.Command) string {
	_, after, _ := strings.Cut(c.Use, " ")
	if c.HasAvailableFlags() {
		after = "[options] " + after
	}
	return strings.TrimSpace(after)
}

// described is a paragraph; lines that are set apart by blanks keep their places.
func described(s string) string {
	if strings.Contains(s, "\n ") || strings.HasPrefix(s, " ") {
		return ".nf\n" + lines(s) + "\n.fi\n"
	}
	return lines(s) + "\n"
}

// nothing are defaults that say nothing.
var nothing = []string{"", "false", "[]", "0", "0s"}

// options lists flags.
func options(set *pflag.FlagSet) string {
	var b strings.Builder
	set.VisitAll(func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		names := "--" + f.Name
		if f.Shorthand != "" {
			names = "-" + f.Shorthand + ", " + names
		}
		value, usage := pflag.UnquoteUsage(f)
		fmt.Fprintf(&b, ".TP\n.B %s\n", strings.TrimSpace(text(names)+" "+text(value)))
		if !slices.Contains(nothing, f.DefValue) && !strings.Contains(usage, "(default") {
			usage += " (default " + f.DefValue + ")"
		}
		b.WriteString(text(usage) + "\n")
	})
	return b.String()
}

// exits lists the exit codes.
func exits() string {
	var b strings.Builder
	b.WriteString(".SH EXIT STATUS\n")
	for _, x := range cli.Exits() {
		fmt.Fprintf(&b, ".TP\n.B %d\n%s.\n", x.Code, text(x.Means))
	}
	return b.String() + ".PP\n.B check \\-o nagios\nends with the codes of Nagios' plugins.\n"
}

// common is what the program's page says for all commands.
const common = `.SH ENVIRONMENT
.TP
.B ZKSCOPE_SERVERS
The servers, where nothing else names them.
.TP
.B ZKSCOPE_AUTH
Credentials, one a line: digest:USER:PASSWORD, sasl:USER:PASSWORD or kerberos:PRINCIPAL.
.TP
.B ZKSCOPE_TLS_PASSWORD
The password of the files of certificates.
.TP
.B KRB5_CONFIG, KRB5CCNAME
Kerberos' configuration and tickets.
.TP
.B XDG_CONFIG_HOME, XDG_STATE_HOME
Where the configuration and the audit log are.
.TP
.B NO_COLOR
Draw without colours.
.SH FILES
.TP
.I \(ti/.config/zkscope/config.yaml
The configuration: profiles, keys, hints.
.TP
.I \(ti/.local/state/zkscope/audit.jsonl
What was done from here, with what stood there before.
`
