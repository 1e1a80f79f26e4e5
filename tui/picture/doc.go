// Package picture is what the console knows of the ensemble: the picture that is shown, the newest, and what is remembered of
// those before, as the events and how queues went.
//
// Take decodes what a source has; it and the commands around it (Await, NextTick) run outside of the event loop, capture
// values and return messages. What they return is handed to a Picture: OnNext, OnTick.
//
// # Concurrency
//
// A Picture belongs to the event loop. Take, Await and NextTick may run anywhere; they end when their context does.
package picture
