package ensemble

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/zkscope/zkscope/inspect/znode"
)

// The AdminServer's commands that are ever asked for, by GET. None of them changes anything.
const (
	cmdConfiguration = "configuration"
	cmdConnections   = "connections"
	cmdDump          = "dump"
	cmdStats         = "server_stats"
	cmdSummary       = "watch_summary"
	cmdWatches       = "watches_by_path"
	cmdVotingView    = "voting_view"
	cmdProperties    = "system_properties"
)

var harmlessCommands = map[string]bool{cmdConfiguration: true, cmdConnections: true, cmdDump: true, cmdStats: true,
	cmdSummary: true, cmdWatches: true, cmdVotingView: true, cmdProperties: true}

// adminPort is where AdminServers listen unless they are told otherwise.
const adminPort = "8080"

// adminURL completes what a user gives for an AdminServer: a host and port, or a URL, with or without the path of
// its commands.
func adminURL(text string) (string, error) {
	if !strings.Contains(text, "://") {
		text = "http://" + text
	}
	u, err := url.Parse(text)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return "", fmt.Errorf("%q is not an address of an AdminServer: write host:port or http://host:port/commands", text)
	}
	if u.Port() == "" {
		u.Host += ":" + adminPort
	}
	u.Path = strings.TrimRight(u.Path, "/")
	if u.Path == "" {
		u.Path = "/commands"
	}
	return u.Scheme + "://" + u.Host + u.Path, nil
}

// command asks an AdminServer for a command and decodes the reply into out. It returns the server's time as the
// HTTP header gives it; zero without one. Fields of an unexpected type are left at zero.
func (e *Ensemble) command(ctx context.Context, base, command string, out any) (date time.Time, err error) {
	if !harmlessCommands[command] {
		return date, fmt.Errorf("%q is not asked for", command)
	}
	ctx, cancel := context.WithTimeout(ctx, e.cfg.Timeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, base+"/"+command, nil)
	if err != nil {
		return date, err
	}
	res, err := e.http.Do(req)
	if err != nil {
		var u *url.Error
		if errors.As(err, &u) {
			err = u.Err
		}
		return date, tidy(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(io.LimitReader(res.Body, int64(e.cfg.MaxBytes)+1))
	switch {
	case err != nil && ctx.Err() != nil:
		return date, errSilent
	case err != nil:
		return date, errCut
	case len(body) > e.cfg.MaxBytes:
		return date, errTooBig
	case res.StatusCode != http.StatusOK:
		return date, fmt.Errorf("HTTP %d", res.StatusCode)
	}
	date, _ = http.ParseTime(res.Header.Get("Date"))
	return date, decodeCommand(body, command, out)
}

// decodeCommand decodes a reply. A server that does not know a command, or does not serve, says so with status 200.
func decodeCommand(body []byte, command string, out any) error {
	var frame struct {
		Command string  `json:"command"`
		Error   *string `json:"error"`
	}
	var mistyped *json.UnmarshalTypeError
	if err := json.Unmarshal(body, &frame); err != nil && !errors.As(err, &mistyped) {
		if strings.HasPrefix(strings.TrimSpace(string(body)), "{") {
			return errCut
		}
		return errors.New("not a ZooKeeper AdminServer")
	}
	switch {
	case frame.Error != nil && strings.Contains(*frame.Error, "not currently serving"):
		return errIdle
	case frame.Error != nil:
		return errors.New(*frame.Error)
	case frame.Command != command:
		return errors.New("not a ZooKeeper AdminServer")
	}
	if err := json.Unmarshal(body, out); err != nil && !errors.As(err, &mistyped) {
		return errCut
	}
	return nil
}

// decimalID is a session id in JSON: a signed decimal number, as a number or as the key of an object. Its 64 bits
// would not survive a float.
type decimalID znode.SessionID

// UnmarshalText reads the id where it is the key of an object.
func (d *decimalID) UnmarshalText(text []byte) error {
	id, ok := znode.ParseSessionID(string(text))
	if !ok {
		return fmt.Errorf("%q is not a session id", text)
	}
	*d = decimalID(id)
	return nil
}

// UnmarshalJSON reads the id where it is a value.
func (d *decimalID) UnmarshalJSON(raw []byte) error {
	return d.UnmarshalText([]byte(strings.Trim(string(raw), `"`)))
}

// connectionsReply is the reply to connections.
type connectionsReply struct {
	Connections []connectionReply `json:"connections"`
	Secure      []connectionReply `json:"secure_connections"`
}

type connectionReply struct {
	Remote  string    `json:"remote_socket_address"`
	ID      decimalID `json:"session_id"`
	Since   int64     `json:"established"`
	Timeout int64     `json:"session_timeout"`
	Heard   int64     `json:"last_response_time"`
}

func (r *connectionsReply) list() []connection {
	out := make([]connection, 0, len(r.Connections)+len(r.Secure))
	for _, c := range append(r.Connections, r.Secure...) {
		if c.ID == 0 {
			continue
		}
		one := connection{session: znode.SessionID(c.ID), addr: parseAddr(c.Remote), timeout: millis(c.Timeout), heard: c.Heard}
		if c.Since > 0 {
			one.since = time.UnixMilli(c.Since)
		}
		out = append(out, one)
	}
	return out
}

// dumpReply is the reply to dump. Expiries are in milliseconds of the server's monotonic clock, and only a leader
// or a server that stands alone has any.
type dumpReply struct {
	Expiry map[string][]decimalID `json:"expiry_time_to_session_ids"`
	Owners json.RawMessage        `json:"session_id_to_ephemeral_paths"`
}

// dump is what the reply tells; was is what was told before, as for parseDump.
func (r *dumpReply) dump(leads bool, was *dump) dump {
	d := dump{}
	if was != nil && len(r.Owners) > 0 && string(r.Owners) == was.told {
		d.owners, d.told, d.whole = was.owners, was.told, was.whole
	} else {
		d.owners, d.whole = ownersOf(r.Owners)
		d.told = string(r.Owners)
	}
	if !leads {
		return d
	}
	d.sessions = map[znode.SessionID]tracked{}
	for at, ids := range r.Expiry {
		ms := number(at)
		if ms > 0 && (d.firstMs == 0 || ms < d.firstMs) {
			d.firstMs = ms
		}
		for _, id := range ids {
			d.sessions[znode.SessionID(id)] = tracked{ms: ms}
		}
	}
	return d
}

// ownersOf reads who owns which ephemeral znodes; whole is false where nothing, or something else, is told.
func ownersOf(raw json.RawMessage) (owners map[znode.SessionID][]string, whole bool) {
	var told map[decimalID][]string
	err := json.Unmarshal(raw, &told)
	var mistyped *json.UnmarshalTypeError
	owners = make(map[znode.SessionID][]string, len(told))
	for id, paths := range told {
		owners[znode.SessionID(id)] = paths
	}
	return owners, told != nil && (err == nil || errors.As(err, &mistyped))
}

// statsReply is the reply to server_stats.
type statsReply struct {
	Version string `json:"version"`
	Nodes   int64  `json:"node_count"`
	Stats   struct {
		State       string      `json:"server_state"`
		Zxid        int64       `json:"last_processed_zxid"`
		Outstanding int64       `json:"outstanding_requests"`
		Connections int64       `json:"num_alive_client_connections"`
		Min         json.Number `json:"min_latency"`
		Avg         json.Number `json:"avg_latency"`
		Max         json.Number `json:"max_latency"`
	} `json:"server_stats"`
}

func (r *statsReply) health() health {
	s := &r.Stats
	return health{version: release(r.Version), mode: s.State, zxid: znode.Zxid(s.Zxid), nodes: r.Nodes, conns: s.Connections,
		outstanding: s.Outstanding, latency: s.Min.String() + "/" + s.Avg.String() + "/" + s.Max.String()}
}

// configurationReply is the reply to configuration.
type configurationReply struct {
	ClientPort int64  `json:"client_port"`
	SecurePort int64  `json:"secure_client_port"`
	Tick       int64  `json:"tick_time"`
	Least      int64  `json:"min_session_timeout"`
	Most       int64  `json:"max_session_timeout"`
	ID         int64  `json:"server_id"`
	DataDir    string `json:"data_dir"`
}

func (r *configurationReply) settings() settings {
	return settings{clientPort: r.ClientPort, securePort: r.SecurePort, id: r.ID, dataDir: r.DataDir, tick: millis(r.Tick), least: millis(r.Least), most: millis(r.Most)}
}

// votingReply is the reply to voting_view.
type votingReply struct {
	Config map[string]struct {
		Server []string `json:"server_addresses"`
		Client string   `json:"client_address"`
		Role   string   `json:"learner_type"`
	} `json:"current_config"`
}

func (r *votingReply) members() (out []configuredMember) {
	for id, c := range r.Config {
		if len(c.Server) == 0 {
			continue
		}
		e := configuredMember{id: number(id), role: c.Role}
		e.host, e.port = cutHost(c.Server[0])
		e.port, _, _ = strings.Cut(e.port, ":")
		e.client = clientAddr(c.Client, e.host)
		out = append(out, e)
	}
	return out
}
