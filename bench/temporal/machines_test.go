package temporal

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"text/template"
	"time"

	enums "go.temporal.io/api/enums/v1"
	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/client"
	"google.golang.org/protobuf/types/known/durationpb"
)

var server = flag.String("server", "../../bin/temporal", "the `DIR` of Temporal's server and of its tool sql")

const patience = 2 * time.Minute // until a program that was started answers

// machine is a program that runs until the end of the test, may be killed, and can be started again.
type machine struct {
	t       *testing.T
	name    string
	command func() *exec.Cmd
	ready   func() bool // nil: as soon as it runs
	runs    *exec.Cmd
	ended   chan struct{}
	kills   int
}

// start starts the program until it answers: again where it ends before, as PostgreSQL does while a process of the one before lives.
func (m *machine) start() {
	m.t.Helper()
	for begun := time.Now(); ; time.Sleep(100 * time.Millisecond) {
		if m.ended == nil {
			m.begin()
		}
		if m.ready == nil || m.ready() {
			return
		}
		select {
		case <-m.ended:
			m.ended = nil
		default:
		}
		if time.Since(begun) > patience {
			m.t.Fatalf("%s does not answer", m.name)
		}
	}
}

func (m *machine) begin() {
	m.runs = m.command()
	if log, err := os.OpenFile(os.Getenv("DRILL_LOG"), os.O_APPEND|os.O_WRONLY|os.O_CREATE, 0o600); err == nil {
		m.runs.Stdout, m.runs.Stderr = log, log
		defer log.Close()
	}
	if err := m.runs.Start(); err != nil {
		m.t.Fatalf("%s: %v", m.name, err)
	}
	ended := make(chan struct{})
	go func(c *exec.Cmd) {
		_ = c.Wait()
		close(ended)
	}(m.runs)
	m.ended = ended
}

// kill ends the program by SIGKILL.
func (m *machine) kill() {
	if m.ended != nil {
		_ = m.runs.Process.Kill()
		<-m.ended
		m.ended = nil
	}
}

// launch starts a machine, which ends with the test.
func launch(t *testing.T, name string, ready func() bool, command func() *exec.Cmd) *machine {
	t.Helper()
	m := &machine{t: t, name: name, command: command, ready: ready}
	t.Cleanup(m.kill)
	m.start()
	return m
}

// cluster is Temporal's server as a program of its own, on PostgreSQL.
type cluster struct {
	database, server *machine
	address          string
}

// startCluster makes the databases of a server and starts it. The test is skipped where PostgreSQL is not installed.
func startCluster(t *testing.T) *cluster {
	t.Helper()
	bins, _ := filepath.Glob("/usr/lib/postgresql/*/bin")
	if len(bins) == 0 {
		t.Skip("PostgreSQL is not installed: apt-get install postgresql-15")
	}
	bin := bins[len(bins)-1]
	dir, owner := folderOfDatabase(t)
	asOwner := func(program string, args ...string) *exec.Cmd {
		command := exec.Command(filepath.Join(bin, program), args...)
		command.Dir, command.SysProcAttr = dir, &syscall.SysProcAttr{Credential: owner}
		return command
	}
	data := filepath.Join(dir, "data")
	output(t, asOwner("initdb", "-D", data, "-A", "trust", "-U", "temporal", "-E", "UTF8", "--locale=C.UTF-8", "--no-sync"))
	host, port, _ := net.SplitHostPort(free(t))
	c := &cluster{address: "127.0.0.1:" + lowPort(t)}
	c.database = launch(t, "PostgreSQL", func() bool { return asOwner("pg_isready", "-q", "-h", host, "-p", port).Run() == nil },
		func() *exec.Cmd {
			return asOwner("postgres", "-D", data, "-p", port, "-k", dir, "-c", "listen_addresses="+host, "-c", "fsync=off")
		})
	for database, schema := range map[string]string{"temporal": "temporal", "temporal_visibility": "visibility"} {
		for _, args := range [][]string{{"create-database", "--defaultdb", "postgres"}, {"setup-schema", "-v", "0.0"},
			{"update-schema", "--schema-name", "postgresql/v12/" + schema}} {
			output(t, exec.Command(filepath.Join(*server, "sql"), append([]string{"--plugin", "postgres12", "--ep", host, "-p", port,
				"-u", "temporal", "--db", database}, args...)...))
		}
	}
	config := filepath.Join(t.TempDir(), "server.yaml")
	if err := os.WriteFile(config, []byte(configuration(t, c.address, host+":"+port)), 0o600); err != nil {
		t.Fatal(err)
	}
	to, err := client.NewLazyClient(client.Options{HostPort: c.address})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(to.Close)
	c.server = launch(t, "Temporal", func() bool { return answers(to) }, func() *exec.Cmd {
		return exec.Command(filepath.Join(*server, "server"), "--config-file", config, "--allow-no-auth", "start")
	})
	return c
}

// answers says whether a server knows the namespace default, which it registers.
func answers(to client.Client) bool {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	_, _ = to.WorkflowService().RegisterNamespace(ctx, &workflowservice.RegisterNamespaceRequest{Namespace: client.DefaultNamespace,
		WorkflowExecutionRetentionPeriod: durationpb.New(24 * time.Hour)})
	_, err := to.DescribeTaskQueue(ctx, "coordination-1", enums.TASK_QUEUE_TYPE_WORKFLOW)
	return err == nil
}

// configuration is that of a server with all its services on loopback.
func configuration(t *testing.T, frontend, database string) string {
	var services strings.Builder
	for _, name := range []string{"frontend", "matching", "history", "worker"} {
		port := lowPort(t)
		if name == "frontend" {
			_, port, _ = net.SplitHostPort(frontend)
		}
		fmt.Fprintf(&services, "  %s: {rpc: {grpcPort: %s, membershipPort: %s, bindOnLocalHost: true}}\n", name, port, lowPort(t))
	}
	var text strings.Builder
	err := template.Must(template.New("").Parse(`log: {stdout: true, level: warn}
persistence:
  defaultStore: steps
  visibilityStore: visibility
  numHistoryShards: 4
  datastores:
    steps: {sql: {pluginName: postgres12, databaseName: temporal, connectAddr: "{{.Database}}", connectProtocol: tcp, user: temporal,
      maxConns: 20, maxIdleConns: 20, maxConnLifetime: 1h}}
    visibility: {sql: {pluginName: postgres12, databaseName: temporal_visibility, connectAddr: "{{.Database}}", connectProtocol: tcp,
      user: temporal, maxConns: 5, maxIdleConns: 5, maxConnLifetime: 1h}}
global: {membership: {maxJoinDuration: 30s, broadcastAddress: 127.0.0.1}}
services:
{{.Services}}clusterMetadata:
  failoverVersionIncrement: 10
  masterClusterName: active
  currentClusterName: active
  clusterInformation: {active: {enabled: true, initialFailoverVersion: 1, rpcName: frontend, rpcAddress: "{{.Frontend}}"}}
publicClient: {hostPort: "{{.Frontend}}"}
`)).Execute(&text, map[string]string{"Frontend": frontend, "Database": database, "Services": services.String()})
	if err != nil {
		t.Fatal(err)
	}
	return text.String()
}

// lowPort is a port of loopback that nobody listens at and that fits a smallint, as which Temporal keeps its own in PostgreSQL.
func lowPort(t *testing.T) string {
	for range 1000 {
		port := strconv.Itoa(10000 + rand.IntN(22000))
		if listener, err := net.Listen("tcp", "127.0.0.1:"+port); err == nil {
			listener.Close()
			return port
		}
	}
	t.Fatal("no free port")
	return ""
}

// folderOfDatabase is a folder of the user that PostgreSQL runs as, which is not root.
func folderOfDatabase(t *testing.T) (dir string, owner *syscall.Credential) {
	dir, err := os.MkdirTemp("", "quartier-drill-") // others may not enter those of t.TempDir
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	if os.Getuid() != 0 {
		return dir, nil
	}
	u, err := user.Lookup("postgres")
	if err != nil {
		t.Fatal(err)
	}
	uid, _ := strconv.Atoi(u.Uid)
	gid, _ := strconv.Atoi(u.Gid)
	if err := os.Chown(dir, uid, gid); err != nil {
		t.Fatal(err)
	}
	return dir, &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
}

// output runs a command to its end.
func output(t *testing.T, command *exec.Cmd) string {
	t.Helper()
	out, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("%q: %v\n%s", command.Args, err, out)
	}
	return string(out)
}
