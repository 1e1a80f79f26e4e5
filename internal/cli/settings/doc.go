// Package settings tells what is set, by whom, and what is wrong with a configuration file: config, config check and config
// profiles. Every setting has its row, with the line of the file, the variable or the flag that it comes from; whatever a value may
// mean wrongly is asked of the room that reads it.
//
// Nothing is connected to, no command of the configuration is run, and no credential is read.
package settings
