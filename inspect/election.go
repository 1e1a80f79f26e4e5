package inspect

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
// and an election that is one znode, whose creator leads: see single.go. The lowest number leads. Some
// layouts announce the leader in a znode of its own, a child of the directory or beside it: whoever
// stands there has executed the leader procedure, whoever heads the line may not have yet.
var electionKind = kindRow{kind: Election, weigh: weighElection, build: buildElection}

func weighElection(x *dir) []Evidence {
	if x.isElector() {
		return []Evidence{{Election, 2, "it has the lock or the bread crumb of Hadoop's ActiveStandbyElector"}}
	}
	if x.isRebalanser() {
		return []Evidence{{Election, 2, "it has the clients, resources and status of a Rebalanser group"}}
	}
	if x.everyoneLeads() {
		return []Evidence{{Election, 2, "it has the marker of ClickHouse's replicas, of which every one leads"}}
	}
	only, open, ids, curator := 0, 0, 0, 0
	for i := range x.line.queue {
		p := &x.line.queue[i]
		switch {
		case p.layout.Mode != "":
			return nil
		case p.layout.Kind == Election:
			only++
		case p.layout.Also == Election:
			open++
			if withPort(p.node.Data) {
				ids++
			}
			if p.layout.ID == "CUR-MUTEX" {
				curator++
			}
		}
	}
	if only+open == 0 {
		return nil
	}
	all := float64(len(x.line.queue))
	out := []Evidence{x.spelling(Election, (float64(only)+0.3*float64(open))/all)}
	if x.words.hint == Election {
		out = append(out, Evidence{Election, 0.5, "the path says " + Printable(x.words.by)})
	}
	if open > 0 && x.setHas("TW-SERVERSET") {
		out = append(out, Evidence{Election, 0.6, "a server set stands among the candidates, as a leader puts it there"})
	}
	if ids > 0 && ids == open {
		weight := 0.2
		if curator == open {
			weight = 0.4 // Curator's lock writes a bare address, its selector what names the participant
		}
		out = append(out, Evidence{Election, weight, "the data names participants as host:port"})
	}
	return out
}

func buildElection(x *dir, why []Evidence) *Model {
	switch {
	case x.isElector(), x.place != nil && x.place.Dialect == Hadoop && len(x.line.queue) == 0:
		return x.buildElector(why)
	case x.isRebalanser():
		return x.buildRebalanser(why)
	case x.everyoneLeads():
		return x.buildMarker(why)
	case x.place != nil && x.place.ID == "EJOB":
		return x.buildInstance(why)
	}
	v := x.view(Election, x.path)
	m := v.build(why)
	m.State = x.stateOf(m, Vacant, Elected)
	v.lend()
	v.announcement()
	v.disagreements()
	if x.place != nil && x.place.ID == "BROOKLIN" {
		v.orphanTasks()
	}
	switch o := x.office(); {
	case m.State == Vacant:
		v.vacancy(x.heirsOf(nil, ""))
	case o != nil && o.Polls:
		m.detailed().heirs = v.inLine(&heirs{})
	}
	m.Findings = settleFindings(m.Findings)
	return m
}
