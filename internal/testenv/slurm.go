package testenv

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// Slurm is a cluster of this machine alone, on free ports of the loopback interface, until the end of a test.
type Slurm struct {
	Dir string   // in which its commands run
	Env []string // of its commands

	daemons []*daemon
}

// NewSlurm starts the daemons of Slurm. The test is skipped where they are not installed.
func NewSlurm(tb testing.TB) *Slurm {
	tb.Helper()
	for _, name := range []string{"slurmctld", "slurmd", "sbatch"} {
		NeedProgram(tb, name)
	}
	var err error
	for range 3 { // another program can take the ports before the daemons do
		s := &Slurm{}
		tb.Cleanup(s.stop)
		if err = s.start(); err == nil {
			return s
		}
		daemons := s.daemons
		s.stop()
		for _, d := range daemons {
			tb.Logf("%s", d.output.String())
		}
	}
	tb.Fatal(err)
	return nil
}

// slurmConfiguration is slurm.conf: no daemon of authentication, jobs are looked at as soon as others end, memory is not that of the
// machine.
const slurmConfiguration = `ClusterName=test
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

func (s *Slurm) start() error {
	host, err := os.Hostname()
	if err != nil {
		return err
	}
	host, _, _ = strings.Cut(host, ".")
	who, err := user.Current()
	if err != nil {
		return err
	}
	if s.Dir, err = os.MkdirTemp("", "slurm-"); err != nil { // its sockets have short paths
		return err
	}
	control, err := freePort()
	if err != nil {
		return err
	}
	machine, err := freePort()
	if err != nil {
		return err
	}
	config := filepath.Join(s.Dir, "slurm.conf")
	text := fmt.Sprintf(slurmConfiguration, host, control, machine, who.Username, s.Dir)
	if err := errors.Join(os.WriteFile(config, []byte(text), 0o644), os.Mkdir(filepath.Join(s.Dir, "state"), 0o755),
		os.Mkdir(filepath.Join(s.Dir, "spool"), 0o755)); err != nil {
		return err
	}
	s.Env = append(os.Environ(), "SLURM_CONF="+config)
	for _, args := range [][]string{{"slurmctld", "-D", "-c"}, {"slurmd", "-D", "-N", host}} {
		command := exec.Command(args[0], args[1:]...)
		command.Env = s.Env
		d, err := start(command)
		if err != nil {
			return err
		}
		s.daemons = append(s.daemons, d)
	}
	return until(func() error {
		state, err := s.Run("sinfo", "-h", "-o", "%T")
		if err == nil && strings.TrimSpace(string(state)) != "idle" {
			return fmt.Errorf("the machine is %s", state)
		}
		return err
	}, s.daemons...)
}

// Run runs a command in Dir.
func (s *Slurm) Run(name string, args ...string) ([]byte, error) {
	command := exec.Command(name, args...)
	command.Dir, command.Env = s.Dir, s.Env
	out, err := command.CombinedOutput()
	if err != nil {
		err = fmt.Errorf("%s: %w: %s", name, err, out)
	}
	return out, err
}

// Submit runs a script that submits jobs and prints the number and name of each on a line, and waits until no job is left. It
// returns the states of the jobs by name.
func (s *Slurm) Submit(tb testing.TB, script []byte) map[string]string {
	tb.Helper()
	if err := os.WriteFile(filepath.Join(s.Dir, "script"), script, 0o600); err != nil {
		tb.Fatal(err)
	}
	out, err := s.Run("bash", "script")
	if err != nil {
		tb.Fatal(err)
	}
	if err := until(func() error {
		left, err := s.Run("squeue", "-h")
		if err == nil && len(left) > 0 {
			return fmt.Errorf("jobs are left:\n%s", left)
		}
		return err
	}, s.daemons...); err != nil {
		tb.Fatal(err)
	}
	states := map[string]string{}
	for line := range strings.Lines(string(out)) {
		id, name, _ := strings.Cut(strings.TrimSpace(line), " ")
		job, err := s.Run("scontrol", "show", "job", "-o", id)
		if err != nil {
			tb.Fatal(err)
		}
		_, state, _ := strings.Cut(string(job), " JobState=")
		states[name], _, _ = strings.Cut(state, " ")
	}
	return states
}

// stop cancels what runs, ends the daemons and removes their files.
func (s *Slurm) stop() {
	if len(s.daemons) > 0 {
		s.Run("scancel", "--state=RUNNING")
	}
	for _, d := range slices.Backward(s.daemons) {
		d.stop(syscall.SIGTERM)
	}
	s.daemons = nil
	os.RemoveAll(s.Dir)
}
