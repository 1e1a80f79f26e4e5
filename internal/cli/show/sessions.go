package show

import (
	"context"
	"fmt"
	"net"
	"slices"
	"sort"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/inspect/story"
	"github.com/zkscope/zkscope/inspect/waits"
	"github.com/zkscope/zkscope/inspect/znode"
	"github.com/zkscope/zkscope/internal/cli/command"
	"github.com/zkscope/zkscope/internal/cli/look"
	"github.com/zkscope/zkscope/internal/cli/world"
	"github.com/zkscope/zkscope/internal/term"
)

// SessionsReport is the JSON output of sessions, schema 1.
type SessionsReport struct {
	Schema   int                   `json:"schema"`
	AsOf     string                `json:"asOf"`
	Complete bool                  `json:"complete"`
	Sources  story.SourcesReport   `json:"sources"`
	Servers  []waits.ServerState   `json:"servers"`
	Sessions []SessionReport       `json:"sessions"`
	Findings []story.FindingReport `json:"findings"` // of all recipes together
}

// SessionReport is one session in the JSON output of sessions.
type SessionReport struct {
	ID        string        `json:"id"`
	Name      string        `json:"name"`
	Addr      *string       `json:"addr"`
	Host      *string       `json:"host"`  // DNS name, only with --names
	Known     *string       `json:"known"` // what the configuration's list of names calls the address
	Server    *string       `json:"server"`
	Connected *bool         `json:"connected"`
	Since     *string       `json:"since"`
	TimeoutMs *int64        `json:"timeoutMs"`
	ExpiresAt *string       `json:"expiresAt"`
	WithinMs  *int64        `json:"withinMs"`
	Mine      bool          `json:"mine"`
	Claims    []stakeReport `json:"claims"`
	Other     []string      `json:"other"`
	Unread    []string      `json:"unread"` // its ephemeral znodes, as servers tell, that were not read
	Watches   *[]string     `json:"watches"`

	passed []string // those of Unread that came or went between the reading and the servers' answer
}

type stakeReport struct {
	Path  string      `json:"path"`
	Kind  layout.Kind `json:"kind"`
	Role  model.Role  `json:"role"`
	Claim string      `json:"claim"`
}

// Sessions lists the sessions, or all that one of them has.
func Sessions(c *command.Line) command.Subcommand {
	var only string
	var names bool
	return look.Reads(c, look.Reader{
		Known: true,
		Subcommand: command.Subcommand{Use: "sessions [SERVERS]", Short: "list the sessions: who is behind each, from where, until when, and all that it holds and waits for", Formats: command.TableOrJSON,
			Flags: func(fs *pflag.FlagSet) {
				fs.StringVar(&only, "session", "", "only this one: an id, a client's address or host, or an owner's name; with all that it has")
				fs.BoolVar(&names, "names", false, "look up the DNS names of the clients' addresses")
			}},
		Print: func(ctx context.Context, r *look.Reading) error {
			ids := allSessions(r.Result)
			if only != "" {
				if ids = waits.SessionsFor(r.Result, only, lookup(ctx, c.Resolver, only)...); len(ids) == 0 {
					return world.Fail(world.ExitNotFound, "no session is known as %s", term.Safe(only))
				}
			}
			rep := sessionsReportOf(ctx, r, ids, names, only == "" && c.Flags.Output != "json")
			switch {
			case c.Flags.Output == "json":
				return c.PrintJSON(rep)
			case only != "":
				printPages(r, rep)
			default:
				printSessions(r, rep)
			}
			return nil
		},
	})
}

// allSessions lists every session that a server told of or that owns a claim, in the order of their ids.
func allSessions(res *model.Result) []znode.SessionID {
	set := map[znode.SessionID]bool{}
	for id := range res.Snapshot.Sessions {
		set[id] = true
	}
	for id := range res.Snapshot.Ephemerals {
		set[id] = true
	}
	for m := range res.Models.All() {
		for i := range m.Claims {
			set[m.Claims[i].Session] = true
		}
	}
	delete(set, 0)
	out := make([]znode.SessionID, 0, len(set))
	for id := range set {
		out = append(out, id)
	}
	sort.Slice(out, func(i, j int) bool { return uint64(out[i]) < uint64(out[j]) })
	return out
}

// sessionsReportOf collects what is known of sessions. What they claim is not named where it is only counted.
func sessionsReportOf(ctx context.Context, r *look.Reading, ids []znode.SessionID, dns, counted bool) *SessionsReport {
	res := r.Result
	frame := story.NewReportOf(res, "", nil)
	rep := &SessionsReport{Schema: 1, AsOf: frame.AsOf, Complete: frame.Complete, Sources: frame.Sources, Servers: r.Servers, Sessions: []SessionReport{}, Findings: story.NewFindingReports(res)}
	if rep.Servers == nil {
		rep.Servers = []waits.ServerState{}
	}
	untold := res.Snapshot.Untold(ids)
	for _, who := range waits.WhoAll(res, ids) {
		one := SessionReport{ID: who.ID.String(), Name: who.Name, Mine: who.ID == r.Self, Claims: []stakeReport{}, Other: []string{}, Unread: []string{}}
		s := who.Session
		one.Addr, one.Known, one.Server, one.Connected = world.TextOrNil(s.Addr), world.TextOrNil(s.Known), world.TextOrNil(s.Server), s.Connected
		if dns && s.Addr != "" {
			one.Host = world.TextOrNil(reverse(ctx, r.Resolver, s.Addr))
		}
		if !s.Since.IsZero() {
			one.Since = world.TextOrNil(s.Since.UTC().Format(time.RFC3339))
		}
		if s.Timeout > 0 {
			ms := s.Timeout.Milliseconds()
			one.TimeoutMs = &ms
		}
		if !s.ExpiresAt.IsZero() {
			one.ExpiresAt = world.TextOrNil(s.ExpiresAt.UTC().Format(time.RFC3339))
			ms := s.Within.Milliseconds()
			one.WithinMs = &ms
		}
		one.Claims = slices.Grow(one.Claims, len(who.Claims))
		for _, st := range who.Claims {
			stake := stakeReport{Kind: st.Model.Kind, Role: st.Claim.Role()}
			if !counted {
				stake.Path, stake.Claim = term.Safe(st.Model.Path), term.Safe(st.Claim.Path())
			}
			one.Claims = append(one.Claims, stake)
		}
		one.Name = term.Safe(one.Name)
		for _, p := range who.Other {
			one.Other = append(one.Other, term.Safe(p))
		}
		for _, p := range untold[who.ID] {
			one.Unread = append(one.Unread, term.Safe(p))
		}
		_, passed := res.Snapshot.Passed(untold[who.ID])
		for _, p := range passed {
			one.passed = append(one.passed, term.Safe(p))
		}
		if who.Watches != nil {
			list := make([]string, len(who.Watches))
			for i, p := range who.Watches {
				list[i] = term.Safe(p)
			}
			one.Watches = &list
		}
		rep.Sessions = append(rep.Sessions, one)
	}
	return rep
}

// printSessions prints one line a session.
func printSessions(r *look.Reading, rep *SessionsReport) {
	r.Head()
	rows := [][]string{{"SESSION", "NAME", "ADDRESS", "SERVER", "STATE", "TIMEOUT", "HOLDS", "WAITS", "OTHER", "WATCHES"}}
	unread, passed := 0, 0
	for _, s := range rep.Sessions {
		unread, passed = unread+len(s.Unread)-len(s.passed), passed+len(s.passed)
		holds, ws, other := 0, 0, len(s.Other)+len(s.Unread)
		for _, cl := range s.Claims {
			switch cl.Role {
			case model.Holder, model.Leader:
				holds++
			case model.Waiter, model.Candidate:
				ws++
			default:
				other++
			}
		}
		watches := "?"
		if s.Watches != nil {
			watches = strconv.Itoa(len(*s.Watches))
		}
		name := say.Either(s.Mine, "(zkscope)", s.Name)
		addr := s.from()
		if s.Host != nil {
			addr += " " + term.Safe(*s.Host)
		}
		rows = append(rows, []string{s.ID, name, addr, world.OrMark(s.Server), stateOf(r.Result, &s), waits.Limits(s.TimeoutMs),
			strconv.Itoa(holds), strconv.Itoa(ws), strconv.Itoa(other), watches})
	}
	world.PrintTable(r.Out, rows)
	if unread > 0 {
		fmt.Fprintf(r.Out, "OTHER includes %d ephemeral znodes that the servers list but that were not read\n", unread)
	}
	if passed > 0 {
		fmt.Fprintf(r.Out, "OTHER includes %s that came or went between the reading and the servers' answer\n", say.Plural(passed, "ephemeral znode", "ephemeral znodes"))
	}
	look.PrintDisagreements(r.Out, r.Result)
}

// stateOf says whether a session is connected, and if not, how long it lasts.
func stateOf(res *model.Result, s *SessionReport) string {
	switch {
	case s.Connected == nil:
		return "?"
	case *s.Connected:
		return "connected"
	case s.ExpiresAt == nil:
		return "not connected, expiry unknown"
	}
	at, _ := time.Parse(time.RFC3339, *s.ExpiresAt)
	return "not connected, expires in " + say.Age(at.Sub(res.Snapshot.TakenAt))
}

// from is where a session's client is, with what that is known as.
func (s *SessionReport) from() string {
	if s.Known == nil {
		return world.OrMark(s.Addr)
	}
	return world.OrMark(s.Addr) + " (" + term.Safe(*s.Known) + ")"
}

// printPages prints everything about each of a few sessions.
func printPages(r *look.Reading, rep *SessionsReport) {
	r.Head()
	for _, s := range rep.Sessions {
		fmt.Fprintf(r.Out, "%s  %s\n", s.ID, s.Name)
		line := func(label, text string) { fmt.Fprintf(r.Out, "  %-9s %s\n", label, text) }
		addr := s.from()
		if s.Host != nil {
			addr += " " + world.OrMark(s.Host)
		}
		line("address", strings.TrimSpace(addr))
		line("server", world.OrMark(s.Server))
		line("state", stateOf(r.Result, &s))
		line("timeout", waits.Limits(s.TimeoutMs))
		for _, cl := range s.Claims {
			line(string(cl.Role), fmt.Sprintf("of %s %s by %s", cl.Kind.Words(), cl.Path, cl.Claim))
		}
		for _, p := range s.Other {
			line("ephemeral", p)
		}
		for _, p := range s.Unread {
			label := say.Either(slices.Contains(s.passed, p), "passed", "not read")
			line(label, p)
		}
		if s.Watches == nil {
			line("watches", "? (no server reports them)")
			continue
		}
		for _, p := range *s.Watches {
			line("watches", p)
		}
	}
}

// lookup returns the addresses of a host name; none for an address or an id.
func lookup(ctx context.Context, r *net.Resolver, host string) []string {
	if net.ParseIP(host) != nil || host == "" || strings.ContainsAny(host, ":/ ") || strings.HasPrefix(host, "0x") {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	addrs, _ := r.LookupHost(ctx, host)
	return addrs
}

// reverse returns the DNS name of a client's address; empty when there is none.
func reverse(ctx context.Context, r *net.Resolver, addr string) string {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return ""
	}
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	names, err := r.LookupAddr(ctx, host)
	if err != nil || len(names) == 0 {
		return ""
	}
	return strings.TrimSuffix(names[0], ".")
}
