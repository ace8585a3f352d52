package testenv

import (
	"net"
	"os"
	"os/exec"
	"sync"
	"testing"
	"time"
)

// Redis is a server of Redis of its own for the tests of a package, on a free port of the loopback interface, without a file.
// It starts when it is asked for first. TestMain must call Stop.
type Redis struct {
	mu      sync.Mutex
	address string
	dir     string
	command *exec.Cmd
	ended   chan struct{}
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
	if r.command == nil {
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
	command := exec.Command(program, "--bind", "127.0.0.1", "--port", port, "--save", "", "--appendonly", "no", "--dir", r.dir)
	if err := command.Start(); err != nil {
		return err
	}
	ended := make(chan struct{})
	r.command, r.ended, r.address = command, ended, "127.0.0.1:"+port
	go func() {
		command.Wait()
		close(ended)
	}()
	for deadline := time.Now().Add(30 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		connection, err := net.Dial("tcp", r.address)
		if err == nil {
			return connection.Close()
		}
		if time.Now().After(deadline) {
			return err
		}
	}
}

// Stop ends the server, if it was started.
func (r *Redis) Stop() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.command != nil {
		r.command.Process.Kill() // it has nothing to keep
		<-r.ended
	}
	if r.dir != "" {
		os.RemoveAll(r.dir)
	}
}
