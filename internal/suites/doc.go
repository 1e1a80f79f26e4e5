// Package suites runs the test suites of other ZooKeeper clients, as their authors ship them, against the embedded server:
// go-zookeeper's from its module, kazoo's from Debian's package. Each of them starts ensembles of ZooKeeper processes; it
// finds commands of that name that are members of the embedded server instead. The suites themselves are not touched.
//
// They take some minutes, so that make peers-test alone runs them.
package suites
