// Package command is what all commands of zkscope are made of. A [Line] is one command line that is carried out: the flags that
// every command takes, the configuration and its profile, and where they lead. A [Subcommand] is a command as a value: its help,
// its flags, and what it does; it is completed, and its arguments are counted, here. It reads the configuration, and no ensemble
// but to complete a path.
//
// # Errors
//
// What is wrong with a command line or the configuration is a world.Failure with world.ExitUsage, in one line that names the flag,
// or the file and the line.
//
// # Concurrency
//
// A Line belongs to one goroutine: it is written while the command line is parsed. Once its command runs, it may be read from
// several.
package command
