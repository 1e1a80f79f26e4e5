package layout

// Dialect names the library or system whose layout a recipe follows: one word.
type Dialect string
