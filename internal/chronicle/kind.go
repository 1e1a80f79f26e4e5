package chronicle

import "github.com/zkscope/zkscope/inspect/layout"

// kindsSeen are the kinds that a place was read as, in the order in which they were first, and how many claims came
// while it was read as each.
type kindsSeen []kindSeen

type kindSeen struct {
	kind   layout.Kind
	claims int
}

func (ks *kindsSeen) note(k layout.Kind, claims int) {
	for i := range *ks {
		if (*ks)[i].kind == k {
			(*ks)[i].claims += claims
			return
		}
	}
	*ks = append(*ks, kindSeen{k, claims})
}

// kind is what all claims of the place together tell: what it was read as when most of them came, the later where that
// is the same; and where ever readers came to what is read as a lock while only writers are there, the shared lock that
// it was all the time. Empty: nothing stood there.
func (ks kindsSeen) kind() (out layout.Kind) {
	most := 0
	for _, x := range ks {
		if out == "" || x.claims >= most {
			out, most = x.kind, x.claims
		}
	}
	for _, x := range ks {
		if joint, ok := out.Joint(x.kind); ok {
			out = joint
		}
	}
	return out
}
