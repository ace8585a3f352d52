package engines

import (
	"bytes"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"quartier/internal/plan"
	"quartier/internal/testenv"
)

// cluster is a Slurm of one machine on the loopback interface, until the end of the test.
type cluster struct {
	dir     string
	env     []string // of its commands
	daemons []*daemon
}

type daemon struct {
	command *exec.Cmd
	ended   chan struct{}
	output  bytes.Buffer
}

// enough is more than anything of a cluster takes.
const enough = 30 * time.Second

func startCluster(t *testing.T) *cluster {
	t.Helper()
	for _, name := range []string{"slurmctld", "slurmd", "sbatch"} {
		testenv.NeedProgram(t, name)
	}
	var err error
	for range 3 { // another program can take the ports before the daemons do
		c := &cluster{}
		t.Cleanup(c.stop)
		if err = c.start(); err == nil {
			return c
		}
		for _, d := range c.daemons {
			t.Logf("%s", d.output.String())
		}
		c.stop()
	}
	t.Fatal(err)
	return nil
}

// configuration is slurm.conf: no daemon of authentication, jobs are looked at as soon as others end, memory is not that of the machine.
const configuration = `ClusterName=test
SlurmctldHost=%[1]s(127.0.0.1)
SlurmctldPort=%[2]s
SlurmdPort=%[3]s
SlurmUser=%[4]s
SlurmdUser=%[4]s
StateSaveLocation=%[5]s/state
SlurmdSpoolDir=%[5]s/spool
SlurmctldPidFile=%[5]s/slurmctld.pid
SlurmdPidFile=%[5]s/slurmd.pid
AuthType=auth/none
CredType=cred/none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
SchedulerParameters=batch_sched_delay=0,sched_interval=1,bf_interval=1,sched_min_interval=0
SlurmdParameters=config_overrides
ReturnToService=2
NodeName=%[1]s NodeAddr=127.0.0.1 CPUs=2 RealMemory=100000
PartitionName=all Nodes=%[1]s Default=YES State=UP
`

func (c *cluster) start() error {
	host, err := os.Hostname()
	if err != nil {
		return err
	}
	host, _, _ = strings.Cut(host, ".")
	who, err := user.Current()
	if err != nil {
		return err
	}
	if c.dir, err = os.MkdirTemp("", "slurm-"); err != nil {
		return err
	}
	var ports [2]string
	for i := range ports {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return err
		}
		defer listener.Close()
		_, ports[i], _ = net.SplitHostPort(listener.Addr().String())
		listener.Close()
	}
	config := filepath.Join(c.dir, "slurm.conf")
	text := fmt.Sprintf(configuration, host, ports[0], ports[1], who.Username, c.dir)
	if err := errors.Join(os.WriteFile(config, []byte(text), 0o644), os.Mkdir(filepath.Join(c.dir, "state"), 0o755),
		os.Mkdir(filepath.Join(c.dir, "spool"), 0o755)); err != nil {
		return err
	}
	c.env = append(os.Environ(), "SLURM_CONF="+config)
	for _, args := range [][]string{{"slurmctld", "-D", "-c"}, {"slurmd", "-D", "-N", host}} {
		d := &daemon{command: exec.Command(args[0], args[1:]...), ended: make(chan struct{})}
		d.command.Env, d.command.Stdout, d.command.Stderr = c.env, &d.output, &d.output
		if err := d.command.Start(); err != nil {
			return err
		}
		c.daemons = append(c.daemons, d)
		go func() {
			d.command.Wait()
			close(d.ended)
		}()
	}
	for deadline := time.Now().Add(enough); ; time.Sleep(50 * time.Millisecond) {
		state, err := c.run("sinfo", "-h", "-o", "%T")
		if err == nil && strings.TrimSpace(string(state)) == "idle" {
			return nil
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("the machine of Slurm is %q: %w", state, err)
		}
		for _, d := range c.daemons {
			select {
			case <-d.ended:
				return fmt.Errorf("%s ended", d.command.Path)
			default:
			}
		}
	}
}

// stop cancels what runs, and ends the daemons.
func (c *cluster) stop() {
	if c.env != nil {
		c.run("scancel", "--state=RUNNING")
	}
	for _, d := range slices.Backward(c.daemons) {
		d.command.Process.Signal(syscall.SIGTERM)
		select {
		case <-d.ended:
		case <-time.After(enough):
			d.command.Process.Kill()
			<-d.ended
		}
	}
	os.RemoveAll(c.dir)
	*c = cluster{}
}

func (c *cluster) run(name string, args ...string) ([]byte, error) {
	command := exec.Command(name, args...)
	command.Dir, command.Env = c.dir, c.env
	out, err := command.CombinedOutput()
	if err != nil {
		err = fmt.Errorf("%s: %w: %s", name, err, out)
	}
	return out, err
}

// submit runs the script of a plan and waits until no job is left. It returns the states of its jobs by name.
func (c *cluster) submit(t *testing.T, p Plan) map[string]string {
	t.Helper()
	if err := os.WriteFile(filepath.Join(c.dir, "script"), write(t, "slurm", p), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := c.run("env", "PAUSE=0", "LOGS=logs", "bash", "script")
	if err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(2 * enough); ; time.Sleep(50 * time.Millisecond) {
		left, err := c.run("squeue", "-h")
		if err != nil {
			t.Fatal(err)
		}
		if len(left) == 0 {
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("jobs are left:\n%s", left)
		}
	}
	states := map[string]string{}
	for _, line := range strings.Split(strings.TrimSpace(string(out)), "\n") {
		id, name, _ := strings.Cut(line, " ")
		job, err := c.run("scontrol", "show", "job", "-o", id)
		if err != nil {
			t.Fatal(err)
		}
		_, state, _ := strings.Cut(string(job), " JobState=")
		states[name], _, _ = strings.Cut(state, " ")
	}
	return states
}

// pretender is a program that does as quartier step run, with folders for files: it ends with 1 where what a step needs is not
// done, and with the code in fails/ID.
const pretender = `#!/bin/bash
shopt -s nullglob
id=$3 work=$9
echo "$5" >>"$work/attempts/$id"
if [ -e "$work/done/$id" ]; then exit 0; fi
for need in "$work/needs/$id"/*; do [ -e "$work/done/${need##*/}" ] || exit 1; done
code=$(cat "$work/fails/$id" 2>/dev/null) || code=0
if [ "$code" = 1 ]; then rm "$work/fails/$id"; fi
if [ "$code" = 0 ]; then touch "$work/done/$id"; fi
exit "$code"
`

// pretend makes a folder for the pretender, in which steps fail as given.
func pretend(t *testing.T, c *cluster, fails map[string]string) (p Plan, attempts func(id string) int) {
	t.Helper()
	p = world()
	p.Steps = append(p.Steps, plan.Step{ID: "it's \"odd\"\n$HOME", Needs: []string{"release"}})
	p.Program, p.Work = filepath.Join(c.dir, "pretender"), t.TempDir()
	err := os.WriteFile(p.Program, []byte(pretender), 0o755)
	for _, folder := range []string{"attempts", "done", "fails"} {
		err = errors.Join(err, os.Mkdir(filepath.Join(p.Work, folder), 0o755))
	}
	for _, s := range p.Steps {
		err = errors.Join(err, os.MkdirAll(filepath.Join(p.Work, "needs", s.ID), 0o755))
		for _, need := range s.Needs {
			err = errors.Join(err, os.Mkdir(filepath.Join(p.Work, "needs", s.ID, need), 0o755))
		}
	}
	for id, code := range fails {
		err = errors.Join(err, os.WriteFile(filepath.Join(p.Work, "fails", id), []byte(code), 0o644))
	}
	if err != nil {
		t.Fatal(err)
	}
	return p, func(id string) int {
		text, _ := os.ReadFile(filepath.Join(p.Work, "attempts", id))
		lines := strings.Fields(string(text))
		slices.Sort(lines)
		if len(slices.Compact(lines)) != len(lines) {
			t.Errorf("%s: attempts %v", id, lines)
		}
		return len(lines)
	}
}

// TestSlurm runs scripts on the daemons of Slurm: steps come after what they need, an exit code of the plan ends a step and what
// needs it, others are tried again, and a script that runs again has nothing to do.
func TestSlurm(t *testing.T) {
	c := startCluster(t)
	p, attempts := pretend(t, c, map[string]string{"lend.us-delaware": "1"})
	for round := 1; round <= 2; round++ {
		states := c.submit(t, p)
		if len(states) != len(p.Steps) {
			t.Errorf("jobs %v", states)
		}
		for name, state := range states {
			if state != "COMPLETED" {
				t.Errorf("round %d: %s is %s", round, name, state)
			}
		}
		for _, s := range p.Steps {
			want := round
			if s.ID == "lend.us-delaware" {
				want++
			}
			if got := attempts(s.ID); got != want {
				t.Errorf("round %d: %s has %d attempts, not %d", round, s.ID, got, want)
			}
		}
	}
	p, attempts = pretend(t, c, map[string]string{"lend.us-delaware": "6"})
	states := c.submit(t, p)
	for name, want := range map[string]string{
		"ingest.us-delaware": "COMPLETED", "transform.us-texas": "COMPLETED", // others go on
		"lend.us-delaware": "FAILED", "transform.us-delaware": "CANCELLED", "release": "CANCELLED",
	} {
		if states[name] != want {
			t.Errorf("%s is %s, not %s", name, states[name], want)
		}
	}
	if n := attempts("lend.us-delaware"); n != 1 || attempts("release") != 0 {
		t.Errorf("%d attempts of a step that ended with 6, %d of one that needs it", n, attempts("release"))
	}
}
