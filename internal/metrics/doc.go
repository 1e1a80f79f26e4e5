// Package metrics turns what a run sees of recipes into Prometheus' metrics.
//
// A page costs no request: it is made of the last picture. Its size is bounded. What grows with the number of recipes is
// told of the busiest only, Options.Recipes of them, and how many were left out is a metric of its own; what happens is
// counted by kind. Owners are labels only where that is asked for, since a name in a claim's data may be another every time.
//
// Times are in seconds. How long a claim has been held is an upper bound where the grant was not seen; histograms take only
// what was seen from its beginning to its end.
//
// # Concurrency
//
// Feed and what Prometheus calls may run at the same time.
package metrics
