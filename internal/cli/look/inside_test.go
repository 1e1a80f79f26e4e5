package look

// SetTarBytes bounds what an archive may hold, until back is called.
func SetTarBytes(n int64) (back func()) {
	was := tarBytes
	tarBytes = n
	return func() { tarBytes = was }
}
