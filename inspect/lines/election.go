package lines

import (
	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/inspect/survey"
)

// The election: one leads, the candidates stand in the order in which they would follow.
//
// Layouts, all of them children of the election's directory:
//
//	n_<seq>, <guid>-n_<seq>         ZooKeeper's LeaderElectionSupport and the recipe document; ours
//	_c_<uuid>-latch-<seq>           Curator LeaderLatch
//	_c_<uuid>-lock-<seq>            Curator LeaderSelector: spelled as its lock; the path and the data tell
//	<32 hex>__lock__<seq>           kazoo Election: likewise
//	<session>-<name>-n_<seq>        Solr
//	ballot<seq>                     zk-ruby, announced by leader_ack
//	V_<seq>                         BookKeeper's auditor
//	singleton_candidate_<seq>       Twitter's commons
//	latch-<id>-<seq>                rust-zookeeper
//	member_<seq>, data an address   Twitter's Candidate
//	clients/c_<seq>                 Rebalanser: see rebalanser.go
//	election-<session>-<seq>        ewhauser's ZooKeeperNet
//	leader_election-<seq>           ClickHouse before 21.12
//	json.info_<seq>, info_<seq>     Mesos, and bare numbers
//	<seq>                           Vitess below elections
//	ActiveStandbyElectorLock        Hadoop, with ActiveBreadCrumb beside it: see electionjoin.go
//	leader_election-0               ClickHouse since 21.12: a marker that every replica leads
//	instance                        Elastic-Job, with latch beside it
//
// and an election that is one znode, whose creator leads: see singleline.go. The lowest number leads. Some
// layouts announce the leader in a znode of its own, a child of the directory or beside it: whoever
// stands there has executed the leader procedure, whoever heads the line may not have yet.
var ElectionKind = survey.KindRow{Kind: layout.Election, Weigh: weighElection, Build: buildElection}

func weighElection(x *survey.Dir) []survey.Evidence {
	if isElector(x) {
		return []survey.Evidence{{Kind: layout.Election, Weight: 2,
			Why: "it has the lock or the bread crumb of Hadoop's ActiveStandbyElector"}}
	}
	if isRebalanser(x) {
		return []survey.Evidence{{Kind: layout.Election, Weight: 2,
			Why: "it has the clients, resources and status of a Rebalanser group"}}
	}
	if everyoneLeads(x) {
		return []survey.Evidence{{Kind: layout.Election, Weight: 2,
			Why: "it has the marker of ClickHouse's replicas, of which every one leads"}}
	}
	only, open, ids, curator := 0, 0, 0, 0
	for i := range x.Line.Queue {
		p := &x.Line.Queue[i]
		switch {
		case p.Layout.Mode != "":
			return nil
		case p.Layout.Kind == layout.Election:
			only++
		case p.Layout.Also == layout.Election:
			open++
			if layout.HasPort(p.Node.Data) {
				ids++
			}
			if p.Layout.ID == "CUR-MUTEX" {
				curator++
			}
		}
	}
	if only+open == 0 {
		return nil
	}
	all := float64(len(x.Line.Queue))
	out := []survey.Evidence{spelling(x, layout.Election, (float64(only)+0.3*float64(open))/all)}
	if x.Words.Hint == layout.Election {
		out = append(out, survey.Evidence{Kind: layout.Election, Weight: 0.5,
			Why: "the path says " + say.Printable(x.Words.By)})
	}
	if open > 0 && setHas(x, "TW-SERVERSET") {
		out = append(out, survey.Evidence{Kind: layout.Election, Weight: 0.6,
			Why: "a server set stands among the candidates, as a leader puts it there"})
	}
	if ids > 0 && ids == open {
		weight := 0.2
		if curator == open {
			weight = 0.4 // Curator's lock writes a bare address, its selector what names the participant
		}
		out = append(out, survey.Evidence{Kind: layout.Election, Weight: weight,
			Why: "the data names participants as host:port"})
	}
	return out
}

// electionAt prepares the model of an election that is no plain line.
func electionAt(x *survey.Dir, d layout.Dialect, sure float64, why []survey.Evidence) *survey.Builder {
	return x.Recipe(layout.Election, d, sure, why)
}

// electionIn prepares the model of an election whose candidates are in the directory base.
func electionIn(x *survey.Dir, base string) *lineView { return viewOf(x, layout.Election, base) }

func buildElection(x *survey.Dir, why []survey.Evidence) *model.Model {
	switch {
	case isElector(x), x.Place != nil && x.Place.Dialect == layout.Hadoop && len(x.Line.Queue) == 0:
		return buildElector(x, why)
	case isRebalanser(x):
		return buildRebalanser(x, why)
	case everyoneLeads(x):
		return buildMarker(x, why)
	case x.Place != nil && x.Place.ID == "EJOB":
		return buildInstance(x, why)
	}
	v := electionIn(x, x.Path)
	m := v.build(why)
	m.State = lineState(x, m, model.Vacant, model.Elected)
	v.lend()
	v.announcement()
	v.CheckLeader()
	if x.Place != nil && x.Place.ID == "BROOKLIN" {
		v.CheckTasks()
	}
	switch o := x.Office(); {
	case m.State == model.Vacant:
		v.CheckVacancy(x.HeirsOf(nil, ""))
	case o != nil && o.Polls:
		m.MakeDetail().Heirs = v.AddWaiting(&model.Heirs{})
	}
	m.Findings = model.SettleFindings(m.Findings)
	return m
}
