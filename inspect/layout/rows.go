package layout

import (
	"bytes"
	"strings"

	"github.com/zkscope/zkscope/inspect/znode"
)

// OfInstance returns the row of a child that is a service's instance by its data or its whole name.
func OfInstance(c *znode.Node) *Layout {
	switch {
	case len(c.Data) > 2 && c.Data[0] == '{' && (bytes.Contains(c.Data, []byte(`"serviceType"`)) ||
		bytes.Contains(c.Data, []byte(`"uriSpec"`))):
		return &DiscoveryRow
	case len(c.Name) < 20:
		return nil
	case strings.Contains(c.Name, "%3A%2F%2F"):
		return &DubboRow
	case strings.HasPrefix(c.Name, "serverUri=") || strings.HasPrefix(c.Name, "serviceUri="):
		return &HiveServerRow
	}
	return nil
}

// HadoopRow is the row of whoever holds Hadoop's elector lock.
var HadoopRow = Layout{ID: "HADOOP-ASE", Dialect: Hadoop, Kind: Election, Sure: 0.95,
	About: "Hadoop's ActiveStandbyElector"}

// RebalanserRow is the row of a group's clients.
var RebalanserRow = Layout{ID: "NET-REBAL", Dialect: Rebalanser, Kind: Election, Order: ByNumber, Sure: 0.9,
	About: "the clients of a Rebalanser group, whose first coordinates"}

// Registries whose instances are sequential, as contenders for a lock are: Nerve of SmartStack, D2 of rest.li, many
// that people wrote themselves. The order of judgement is: a layout that is known; a chain of watches, each on the one
// ahead, makes a line; only otherwise data that is an address, or that describes an instance, makes a service.
var (
	NerveRow = Layout{ID: "NERVE", Dialect: Nerve, Kind: Service, Order: ByName, Sure: 0.8,
		About: "an instance in Nerve's registry"}
	D2Row = Layout{ID: "D2", Dialect: D2, Kind: Service, Within: `"weights"`, Order: ByName, Sure: 0.9,
		About: "a URI of rest.li's D2"}
	AddressRow = Layout{ID: "REGISTRY", Dialect: Generic, Kind: Service, Order: ByName, Sure: 0.5, About: "an address"}
)

// KazooLeaseRow is kazoo's lease: a name without a word.
var KazooLeaseRow = writtenAs(Semaphore, Exclusive, Kazoo)

// Rows of instances that are told by their data or by more than a word of their name.
var (
	DiscoveryRow = Layout{ID: "CUR-XDISC", Dialect: Curator, Kind: Service, Within: "serviceType", Sure: 0.95,
		About: "an instance in Curator's x-discovery"}
	DubboRow = Layout{ID: "DUBBO-REG", Dialect: Dubbo, Kind: Service, Within: "%3A%2F%2F", Sure: 0.95,
		About: "an address in Dubbo's registry"}
	HiveServerRow = Layout{ID: "HS2", Dialect: Hive, Kind: Service, Word: "serverUri=",
		Form: "serverUri=<address>;…;sequence=<seq>", Sure: 0.95,
		About: "a HiveServer2 instance"}
	NameServiceRow = Layout{ID: "ZK-NAME", Dialect: ZooKeeper, Kind: Service, Sure: 0.5,
		About: "a name in a name service"}
)

// SingleRow is the layout of a recipe that is one znode: the lock of the primitives' documentation.
var SingleRow = Layout{ID: "SINGLE", Dialect: ZooKeeper, Kind: Lock, Also: Election, Sure: 0.4,
	About: "one ephemeral znode that whoever could create it holds"}

// NumberedRow is the row of sequential children whose name says nothing: a line by arrival.
var NumberedRow = Layout{ID: "GENERIC", Dialect: Generic, Kind: Lock, Also: Election, Order: ByArrival, Sure: 0.3,
	About: "nothing known, but ephemeral and sequential"}
