package monitor

// What the tests of the room see of it.
var (
	ErrMet = errMet
	Serve  = serve
)

// What plugins of Nagios end with.
const (
	NagiosOK       = nagiosOK
	NagiosCritical = nagiosCritical
	NagiosUnknown  = nagiosUnknown
)
