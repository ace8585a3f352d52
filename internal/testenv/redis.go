package testenv

import (
	"net"
	"os"
	"os/exec"
	"sync"
	"testing"
)

// Redis is a server of Redis of its own for the tests of a package, on a free port of the loopback interface, without a file.
// It starts when it is asked for first. TestMain must call Stop.
type Redis struct {
	mu      sync.Mutex
	address string
	dir     string
	server  *daemon
}

// Address is HOST:PORT of the server. The test is skipped where Redis is not installed.
func (r *Redis) Address(tb testing.TB) string {
	tb.Helper()
	program, err := exec.LookPath("redis-server")
	if err != nil {
		NotInstalled(tb, "Redis")
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.server == nil {
		if err := r.start(program); err != nil {
			tb.Fatalf("start Redis: %v", err)
		}
	}
	return r.address
}

func (r *Redis) start(program string) error {
	port, err := freePort()
	if err != nil {
		return err
	}
	if r.dir, err = os.MkdirTemp("", "quartier-redis-"); err != nil {
		return err
	}
	r.address = "127.0.0.1:" + port
	r.server, err = start(exec.Command(program, "--bind", "127.0.0.1", "--port", port, "--save", "", "--appendonly", "no", "--dir", r.dir))
	if err != nil {
		return err
	}
	return until(func() error {
		connection, err := net.Dial("tcp", r.address)
		if err != nil {
			return err
		}
		return connection.Close()
	}, r.server)
}

// Stop ends the server, if it was started.
func (r *Redis) Stop() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.server != nil {
		r.server.stop(os.Kill) // it has nothing to keep
	}
	if r.dir != "" {
		os.RemoveAll(r.dir)
	}
}
