package command

import "strings"

// examples are of commands whose value has none of its own, by their names.
var examples = map[string][]string{
	"show":     {"show /locks/orders zk1:2181", "show /locks/orders --from night.jsonl --at 03:12:00 -o json"},
	"why":      {"why /locks/orders zk1:2181", "why /election zk1:2181 -o json"},
	"graph":    {"graph zk1:2181", "graph zk1:2181 -o dot | dot -Tsvg > waits.svg"},
	"sessions": {"sessions zk1:2181", "sessions zk1:2181 -o json"},
	"impact":   {"impact 10.0.0.7 zk1:2181", "impact 0x100abcd00010002 zk1:2181"},
	"doctor":   {"doctor zk1:2181,zk2:2181,zk3:2181", "doctor --profile prod -o json"},
	"audit":    {"audit", "audit -o json"},
	"history":  {"history /locks/orders --from /var/lib/zookeeper", "history /locks/orders --from night.jsonl --since -30m -o csv"},
	"report":   {"report --from /var/lib/zookeeper --file incident.html", "report /locks/orders --from night.jsonl -o md"},
	"record":   {"record zk1:2181 --file night.jsonl.zst", "record --profile prod --for 1h --file hour.jsonl"},
	"replay":   {"replay night.jsonl", "replay night.jsonl --at 03:12:00"},
	"snapshot": {"snapshot zk1:2181 --file now.jsonl"},
	"demo":     {"demo", "demo --scenario deadlock", "demo --listen 127.0.0.1:12181"},
	"vote":     {"vote /app/tx1 s_2 commit --servers zk1:2181", "vote /app/tx1 s_2 abort --servers zk1:2181 --reason 'disk full'"},
	"revoke":   {"revoke /locks/orders/lock-0000000007 zk1:2181", "revoke /locks/orders/lock-0000000007 zk1:2181 --yes --czxid 8123 --break-after 30s"},
	"break":    {"break /locks/orders/lock-0000000007 zk1:2181 --dry-run", "break /locks/orders/lock-0000000007 zk1:2181 --yes --session 0x100abcd00010002"},
	"open":     {"open /barriers/start zk1:2181 --reason 'all loaded'"},
	"close":    {"close /barriers/start zk1:2181"},
	"skip":     {"skip /queues/mail/item-0000000042 zk1:2181 --dry-run"},
	"requeue":  {"requeue /queues/mail/item-0000000042 zk1:2181"},
	"abort":    {"abort /app/tx1/s_2 zk1:2181 --reason 'site is gone'"},
	"clean":    {"clean /barriers/batch/ready zk1:2181 --dry-run"},
	"restore":  {"restore /locks/orders/lock-0000000007 zk1:2181"},
	"set":      {"set /config/limits zk1:2181 --data '{\"rate\": 10}'", "set /config/limits zk1:2181 --file limits.json"},
}

// exampleOf is a command's example as help prints it.
func exampleOf(name string) string {
	lines := examples[name]
	if len(lines) == 0 {
		return ""
	}
	return "  zkscope " + strings.Join(lines, "\n  zkscope ")
}
