// Package wire holds ZooKeeper's wire protocol: opcodes, error codes, and the jute records that travel
// in frames. It does no I/O beyond reading and writing whole frames.
//
// Source of the layouts: Apache ZooKeeper's protocol as spoken by its 3.8 servers, observed on the wire.
// All integers are big-endian; a frame is an int32 length and a payload; strings and buffers are an
// int32 length (-1 for null) and bytes; a vector is an int32 count and its items.
//
// # Concurrency
//
// Nothing in this package is safe for concurrent use unless it is a plain value.
package wire

// Op is a request's operation code.
type Op int32

// The operation codes of ZooKeeper 3.8.
const (
	OpNotify            Op = 0
	OpCreate            Op = 1
	OpDelete            Op = 2
	OpExists            Op = 3
	OpGetData           Op = 4
	OpSetData           Op = 5
	OpGetACL            Op = 6
	OpSetACL            Op = 7
	OpGetChildren       Op = 8
	OpSync              Op = 9
	OpPing              Op = 11
	OpGetChildren2      Op = 12
	OpCheck             Op = 13
	OpMulti             Op = 14
	OpCreate2           Op = 15
	OpReconfig          Op = 16
	OpCheckWatches      Op = 17
	OpRemoveWatches     Op = 18
	OpCreateContainer   Op = 19
	OpDeleteContainer   Op = 20
	OpCreateTTL         Op = 21
	OpMultiRead         Op = 22
	OpAuth              Op = 100
	OpSetWatches        Op = 101
	OpSASL              Op = 102
	OpGetEphemerals     Op = 103
	OpGetAllChildrenNum Op = 104
	OpSetWatches2       Op = 105
	OpAddWatch          Op = 106
	OpWhoAmI            Op = 107
	OpCreateSession     Op = -10
	OpClose             Op = -11
	OpError             Op = -1
)

// Xids that are not a client's own count.
const (
	XidEvent      int32 = -1
	XidPing       int32 = -2
	XidAuth       int32 = -4
	XidSetWatches int32 = -8
)

// Code is an error code of a reply. Zero is success.
type Code int32

// The error codes of ZooKeeper 3.8.
const (
	OK                      Code = 0
	ErrSystem               Code = -1
	ErrRuntimeInconsistency Code = -2
	ErrDataInconsistency    Code = -3
	ErrConnectionLoss       Code = -4
	ErrMarshalling          Code = -5
	ErrUnimplemented        Code = -6
	ErrOperationTimeout     Code = -7
	ErrBadArguments         Code = -8
	ErrAPI                  Code = -100
	ErrNoNode               Code = -101
	ErrNoAuth               Code = -102
	ErrBadVersion           Code = -103
	ErrNoChildrenForEph     Code = -108
	ErrNodeExists           Code = -110
	ErrNotEmpty             Code = -111
	ErrSessionExpired       Code = -112
	ErrInvalidCallback      Code = -113
	ErrInvalidACL           Code = -114
	ErrAuthFailed           Code = -115
	ErrSessionMoved         Code = -118
	ErrNotReadOnly          Code = -119
	ErrEphemeralOnLocal     Code = -120
	ErrNoWatcher            Code = -121
	ErrSASLRequired         Code = -124
	ErrQuotaExceeded        Code = -125
	ErrThrottled            Code = -127
)

// Create flags.
const (
	FlagPersistent           int32 = 0
	FlagEphemeral            int32 = 1
	FlagSequence             int32 = 2
	FlagEphemeralSequence    int32 = 3
	FlagContainer            int32 = 4
	FlagPersistentTTL        int32 = 5
	FlagPersistentSequentTTL int32 = 6
)

// EventType is what a watch event reports.
type EventType int32

// Event types.
const (
	EventNone            EventType = -1
	EventCreated         EventType = 1
	EventDeleted         EventType = 2
	EventDataChanged     EventType = 3
	EventChildrenChanged EventType = 4
)

// Keeper states in watch events.
const (
	StateDisconnected  int32 = 0
	StateSyncConnected int32 = 3
	StateExpired       int32 = -112
)

// AddWatch modes.
const (
	WatchPersistent          int32 = 0
	WatchPersistentRecursive int32 = 1
)

// Watcher types of checkWatches and removeWatches.
const (
	WatcherChildren int32 = 1
	WatcherData     int32 = 2
	WatcherAny      int32 = 3
)

// Permission bits of an ACL.
const (
	PermRead   int32 = 1
	PermWrite  int32 = 2
	PermCreate int32 = 4
	PermDelete int32 = 8
	PermAdmin  int32 = 16
	PermAll    int32 = 31
)

// MaxFrame is the largest request that a server with default settings accepts: jute.maxbuffer.
const MaxFrame = 0xfffff
