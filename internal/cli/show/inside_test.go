package show

// BuildOf reads a build's own information.
var BuildOf = buildOf
