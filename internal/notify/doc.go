// Package notify tells a webhook of findings that begin and end: once each, when they have stood for as long as is asked, and
// again until it was taken. It knows what a finding is and how a message is spelled for whom; it does not look at ensembles.
//
// # Concurrency
//
// A Tracker is for one goroutine at a time. A Sender may be used from several; its goroutine ends with Close.
package notify
