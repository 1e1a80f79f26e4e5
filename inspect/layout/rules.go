package layout

// Order is a library's rule for comparing two claims of a line. The rules agree until the sequence
// counter turns negative.
type Order uint8

const (
	ByNumber    Order = iota // the number as a signed integer: negative ones first
	ByText                   // the number as text: negative ones first, the largest magnitude last
	ByMagnitude              // the digits as text, the sign lost
	ByArrival                // the order of creation (czxid), which no client but ours can go by
	ByName                   // the whole name as text: how queues are served
)

// String returns how the rule is named in findings.
func (o Order) String() string {
	return [...]string{"integer order", "text order", "order without the sign", "order of arrival",
		"order of names"}[o%5]
}

// Tie is a library's rule for two claims of the same number, which a server never gives out twice in the life of a
// directory: copied numbers make them (Solr joins at the head, a Curator writer's own reader), and deletion of the
// counter.
type Tie uint8

const (
	TieByArrival Tie = iota // the one created first
	TieByName               // the whole name as text
)
