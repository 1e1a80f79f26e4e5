package settings

// Setting is a row of config.
type Setting = setting

// Settled are the flags that are settings.
var Settled = settled
