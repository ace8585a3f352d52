package testenv

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// Postgres is a PostgreSQL server of its own for the tests of a package, on a free port of the loopback interface. It starts
// with the first database that is asked for. TestMain must call Stop.
type Postgres struct {
	mu        sync.Mutex
	dir, port string
	server    *daemon
	databases int
}

// Database makes an empty database and returns its DSN. The test is skipped where PostgreSQL is not installed.
func (p *Postgres) Database(tb testing.TB) string {
	tb.Helper()
	bins, _ := filepath.Glob("/usr/lib/postgresql/*/bin")
	if len(bins) == 0 {
		NotInstalled(tb, "PostgreSQL")
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.server == nil {
		if err := p.start(bins[len(bins)-1]); err != nil {
			tb.Fatalf("start PostgreSQL: %v", err)
		}
	}
	p.databases++
	name := fmt.Sprintf("test%d", p.databases)
	if err := p.execute("CREATE DATABASE " + name); err != nil {
		tb.Fatal(err)
	}
	return p.dsn(name)
}

// Stop ends the server, if it was started, and removes its data.
func (p *Postgres) Stop() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.server != nil {
		p.server.stop(os.Interrupt) // disconnects all clients
	}
	if p.dir != "" {
		os.RemoveAll(p.dir)
	}
}

func (p *Postgres) dsn(database string) string {
	return "postgres://test@127.0.0.1:" + p.port + "/" + database + "?sslmode=disable"
}

func (p *Postgres) execute(statement string) error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	conn, err := pgx.Connect(ctx, p.dsn("postgres"))
	if err != nil {
		return err
	}
	_, err = conn.Exec(ctx, statement)
	return errors.Join(err, conn.Close(ctx))
}

func (p *Postgres) start(bin string) (err error) {
	owner, err := p.makeFolder()
	if err != nil {
		return err
	}
	cluster := filepath.Join(p.dir, "cluster")
	initdb := p.program(owner, filepath.Join(bin, "initdb"), "-D", cluster, "-A", "trust", "-U", "test", "-E", "UTF8", "--locale=C.UTF-8",
		"--no-sync")
	if out, err := initdb.CombinedOutput(); err != nil {
		return fmt.Errorf("%w\n%s", err, out)
	}
	for range 5 { // another program can take the port before the server does
		if err = p.listen(owner, filepath.Join(bin, "postgres"), cluster); err == nil {
			return nil
		}
	}
	return err
}

// listen starts the server on a free port, and waits until it answers or ends.
func (p *Postgres) listen(owner *syscall.Credential, program, cluster string) (err error) {
	if p.port, err = freePort(); err != nil {
		return err
	}
	p.server, err = start(p.program(owner, program, "-D", cluster, "-p", p.port, "-k", p.dir,
		"-c", "listen_addresses=127.0.0.1", "-c", "fsync=off", "-c", "max_connections=200"))
	if err != nil {
		return err
	}
	if err = until(func() error { return p.execute("SELECT 1") }, p.server); err != nil {
		p.server.stop(os.Interrupt)
		err = fmt.Errorf("%w\n%s", err, p.server.output.String())
	}
	return err
}

// makeFolder makes the folder of the data for the user that the server runs as: PostgreSQL refuses to run as root.
func (p *Postgres) makeFolder() (owner *syscall.Credential, err error) {
	if p.dir, err = os.MkdirTemp("", "quartier-postgres-"); err != nil || os.Getuid() != 0 {
		return nil, err
	}
	u, err := user.Lookup("postgres")
	if err != nil {
		return nil, err
	}
	uid, err := strconv.ParseUint(u.Uid, 10, 32)
	if err != nil {
		return nil, err
	}
	gid, err := strconv.ParseUint(u.Gid, 10, 32)
	if err != nil {
		return nil, err
	}
	return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}, os.Chown(p.dir, int(uid), int(gid))
}

func (p *Postgres) program(owner *syscall.Credential, name string, args ...string) *exec.Cmd {
	command := exec.Command(name, args...)
	command.Dir = p.dir // a folder that the user may enter
	command.SysProcAttr = &syscall.SysProcAttr{Credential: owner}
	return command
}

func freePort() (string, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	defer listener.Close()
	_, port, err := net.SplitHostPort(listener.Addr().String())
	return port, err
}
