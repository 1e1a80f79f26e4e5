package webgate

import (
	"crypto/sha256"
	"crypto/tls"
	"net"
	"net/http"
	"sync"
	"time"

	"golang.org/x/crypto/bcrypt"
)

// Gate guards a page as a file says. The file is read again for every connection and request, so that passwords and
// certificates can be renewed while it serves; while it cannot be read nobody gets in.
type Gate struct {
	path string

	mu     sync.Mutex
	proved map[[sha256.Size]byte]bool // what bcrypt said of a hash and a password: it is slow on purpose
	tokens float64                    // requests that the limit lets pass at once
	filled time.Time
}

// Open reads a file; an empty path is a gate that stands open.
func Open(path string) (*Gate, error) {
	g := &Gate{path: path, proved: make(map[[sha256.Size]byte]bool)}
	if path == "" {
		return g, nil
	}
	if _, err := read(path); err != nil {
		return nil, err
	}
	return g, nil
}

// Serve answers on a listener until the server is shut down, and returns what http.Server.Serve does.
func (g *Gate) Serve(l net.Listener, srv *http.Server) error {
	if g.path == "" {
		return srv.Serve(l)
	}
	srv.Handler = g.guarded(srv.Handler)
	f, err := read(g.path)
	if err != nil {
		return err
	}
	if !f.encrypted() {
		return srv.Serve(l)
	}
	srv.Protocols = new(http.Protocols)
	srv.Protocols.SetHTTP1(true) // alone: one page a scrape gains nothing by HTTP/2, and released binaries are built without it
	srv.TLSConfig = &tls.Config{GetConfigForClient: func(*tls.ClientHelloInfo) (*tls.Config, error) {
		f, err := read(g.path)
		if err != nil {
			return nil, err
		}
		cfg, err := f.tls()
		if err == nil && cfg != nil {
			cfg.NextProtos = []string{"http/1.1"}
		}
		return cfg, err
	}}
	return srv.ServeTLS(l, "", "")
}

// guarded is a page behind the gate.
func (g *Gate) guarded(page http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		f, err := read(g.path)
		if err != nil {
			http.Error(w, "the file that says who may read this cannot be read", http.StatusInternalServerError)
			return
		}
		if !g.lets(f.Limit.Interval, f.Limit.Burst, time.Now()) {
			http.Error(w, http.StatusText(http.StatusTooManyRequests), http.StatusTooManyRequests)
			return
		}
		for k, v := range f.HTTP.Headers {
			w.Header().Set(k, v)
		}
		user, password, _ := r.BasicAuth()
		if len(f.Users) > 0 && !g.knows(f.Users, user, password) {
			w.Header().Set("WWW-Authenticate", "Basic")
			http.Error(w, http.StatusText(http.StatusUnauthorized), http.StatusUnauthorized)
			return
		}
		page.ServeHTTP(w, r)
	})
}

// lets takes a token, of which one comes with every interval, and at most burst are kept.
func (g *Gate) lets(interval time.Duration, burst int, now time.Time) bool {
	if interval <= 0 {
		return true
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.filled.IsZero() {
		g.tokens = float64(burst)
	} else {
		g.tokens = min(float64(burst), g.tokens+now.Sub(g.filled).Seconds()/interval.Seconds())
	}
	g.filled = now
	if g.tokens < 1 {
		return false
	}
	g.tokens--
	return true
}

// nobody is the hash of a password that nobody has, so that an unknown name takes as long as a wrong password.
var nobody = sync.OnceValue(func() string {
	h, err := bcrypt.GenerateFromPassword([]byte("nobody knows"), bcrypt.DefaultCost)
	if err != nil {
		panic("webgate: " + err.Error())
	}
	return string(h)
})

// provedMost bounds what is remembered.
const provedMost = 100

// knows reports whether a password is a user's. One is weighed at a time: whoever guesses keeps no more than a core busy.
func (g *Gate) knows(users map[string]string, user, password string) bool {
	hash, known := users[user]
	if !known {
		hash = nobody()
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	key := sha256.Sum256([]byte(hash + "\x00" + password))
	right, before := g.proved[key]
	if !before {
		right = bcrypt.CompareHashAndPassword([]byte(hash), []byte(password)) == nil
		if len(g.proved) >= provedMost {
			clear(g.proved)
		}
		g.proved[key] = right
	}
	return known && right
}
