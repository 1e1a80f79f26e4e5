package recipes

import (
	"context"
	"encoding/json"
	"iter"
	"time"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/znode"
)

// Service is the registry of a service's instances.
//
// Protocol: that of Membership, with JSON in the layout of Curator's x-discovery, which Spring Cloud and others
// read, in every dialect: the recipe documents have no format for services.
//
// Requests: those of Membership.
type Service struct {
	g    Membership
	name string
}

// Instance is one instance of a service.
type Instance struct {
	ID      string // of its znode; Register makes one where it is empty
	Address string
	Port    int             // 0: none
	Payload json.RawMessage // Optional; the service's own
	Since   time.Time       // when it was registered, by its own clock; Register fills it in
	Session znode.SessionID // of the one who registered it; Register ignores it
}

// instanceJSON is the layout on the wire.
type instanceJSON struct {
	Name                string          `json:"name"`
	ID                  string          `json:"id"`
	Address             string          `json:"address"`
	Port                *int            `json:"port"`
	SSLPort             *int            `json:"sslPort"`
	Payload             json.RawMessage `json:"payload"`
	RegistrationTimeUTC int64           `json:"registrationTimeUTC"`
	ServiceType         string          `json:"serviceType"`
	URISpec             json.RawMessage `json:"uriSpec"`
}

// Service returns the registry of the service of a name below a base path. It does no I/O. What is made has
// the ACL; default: the session's.
func (s *Session) Service(base, name string, acl ...Access) Service {
	return Service{s.Membership(join(base, name), Options{ACL: acl}), name}
}

// Register makes an instance known for as long as the claim lasts. An ID that is registered already is
// ErrExists.
func (v Service) Register(ctx context.Context, i Instance) (*Claim, error) {
	if i.ID == "" {
		i.ID = layout.Dashed(newID())
	}
	wire := instanceJSON{Name: v.name, ID: i.ID, Address: i.Address, Payload: i.Payload,
		RegistrationTimeUTC: time.Now().UnixMilli(), ServiceType: "DYNAMIC"}
	if i.Port != 0 {
		wire.Port = &i.Port
	}
	data, err := json.Marshal(wire)
	if err != nil {
		return nil, &Error{"register", v.g.path, err}
	}
	g := v.g
	g.opts.Name, g.opts.Data = i.ID, data
	return g.Join(ctx)
}

// Instances lists the instances, by ID. One whose data cannot be understood has its ID and nothing else.
func (v Service) Instances(ctx context.Context) ([]Instance, error) {
	members, err := v.g.Members(ctx)
	return v.read(members), err
}

// Watch yields the instances, and again each time that one comes or goes; see Membership.Watch.
func (v Service) Watch(ctx context.Context) iter.Seq2[[]Instance, error] {
	return func(yield func([]Instance, error) bool) {
		for members, err := range v.g.Watch(ctx) {
			if !yield(v.read(members), err) {
				return
			}
		}
	}
}

func (v Service) read(members []Member) []Instance {
	var out []Instance
	for _, m := range members {
		i := Instance{ID: m.Name, Session: m.Session}
		var wire instanceJSON
		if json.Unmarshal(m.Data, &wire) == nil {
			i.Address, i.Payload, i.Since = wire.Address, wire.Payload, time.UnixMilli(wire.RegistrationTimeUTC)
			if wire.Port != nil {
				i.Port = *wire.Port
			}
		}
		out = append(out, i)
	}
	return out
}
