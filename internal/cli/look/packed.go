package look

import (
	"compress/gzip"
	"errors"
	"io"
	"strings"

	"github.com/klauspost/compress/zstd"
)

// Pack compresses what is written to a file, as its name says: .zst, .gz, or not at all. Closing closes both.
func Pack(name string, f io.WriteCloser) (io.WriteCloser, error) {
	switch {
	case strings.HasSuffix(name, ".zst"):
		z, err := zstd.NewWriter(f, zstd.WithEncoderConcurrency(1))
		return &packed{z, z.Flush, f}, err
	case strings.HasSuffix(name, ".gz"):
		z := gzip.NewWriter(f)
		return &packed{z, z.Flush, f}, nil
	}
	return f, nil
}

// packed is a file that is written compressed.
type packed struct {
	io.WriteCloser
	flush func() error
	under io.Closer
}

// Write makes what was written readable: a recording that is cut off loses one line at most.
func (p *packed) Write(b []byte) (int, error) {
	n, err := p.WriteCloser.Write(b)
	if err == nil {
		err = p.flush()
	}
	return n, err
}

// Close writes the end of what is compressed.
func (p *packed) Close() error { return errors.Join(p.WriteCloser.Close(), p.under.Close()) }

// unpack reads what pack wrote; as it is, where the name says nothing else.
func unpack(name string, f io.Reader) (io.ReadCloser, bool, error) {
	switch {
	case strings.HasSuffix(name, ".zst"):
		z, err := zstd.NewReader(f, zstd.WithDecoderConcurrency(1))
		if err != nil {
			return nil, true, err
		}
		return z.IOReadCloser(), true, nil
	case strings.HasSuffix(name, ".gz"):
		z, err := gzip.NewReader(f)
		return z, true, err
	}
	return nil, false, nil
}
