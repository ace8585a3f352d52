// Package programs runs the programs that measurements and long checks start, and stops them by their ids.
package programs

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"quartier/bench/fail"
)

// Process is a program that was started, and is stopped by its process id.
type Process struct {
	Command *exec.Cmd
	Output  Output        // standard output and errors; complete when it has ended
	Ended   chan struct{} // closed when the program has ended
	Err     error         // of the ended program
}

// Output is what a program has written so far. It can be read while the program runs.
type Output struct {
	mu   sync.Mutex
	text bytes.Buffer
}

// Write takes a part of the output.
func (o *Output) Write(text []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.Write(text)
}

// String returns the output so far.
func (o *Output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
}

// Start starts a program, as another user if owner is given.
func Start(ctx context.Context, owner *syscall.Credential, program string, args ...string) *Process {
	p := &Process{Command: exec.CommandContext(ctx, program, args...), Ended: make(chan struct{})}
	p.Command.Stdout, p.Command.Stderr = &p.Output, &p.Output
	p.Command.SysProcAttr = &syscall.SysProcAttr{Credential: owner}
	fail.Check(p.Command.Start())
	go func() {
		p.Err = p.Command.Wait()
		close(p.Ended)
	}()
	return p
}

// Await polls ready for at most half a minute, and stops the process if it is not ready then.
func (p *Process) Await(ctx context.Context, ready func() bool) {
	for deadline := time.Now().Add(30 * time.Second); time.Now().Before(deadline); {
		select {
		case <-p.Ended:
			fail.Errorf("%s ended: %w\n%s", p.Command.Path, errors.Join(p.Err, ctx.Err()), p.Output.String())
		case <-time.After(5 * time.Millisecond):
		}
		if ready() {
			return
		}
	}
	p.Stop()
	fail.Errorf("%s is not ready after 30 s", p.Command.Path)
}

// Stop interrupts the program, and kills it if it has not ended after ten seconds.
func (p *Process) Stop() {
	p.Command.Process.Signal(os.Interrupt)
	select {
	case <-p.Ended:
	case <-time.After(10 * time.Second):
		p.Command.Process.Kill()
		<-p.Ended
	}
}

// MemoryMB returns the resident memory of the process in MiB: RssAnon are its anonymous pages, RssFile its mapped files.
func (p *Process) MemoryMB(field string) (mb float64) {
	data := fail.Must(os.ReadFile(fmt.Sprintf("/proc/%d/status", p.Command.Process.Pid)))
	_, rest, _ := strings.Cut(string(data), field+":")
	fail.Must(fmt.Sscan(rest, &mb))
	return mb / 1024
}

// Seconds returns the processor time of the process so far.
func (p *Process) Seconds() float64 { return SecondsOf(p.Command.Process.Pid) }

// SecondsOf returns the processor time of a process of this machine so far.
func SecondsOf(pid int) float64 {
	const scheduled = 2 // CPUCLOCK_SCHED: time in which the process ran, user and system, in nanoseconds
	var spent unix.Timespec
	fail.Check(unix.ClockGettime(int32(^pid<<3|scheduled), &spent))
	return float64(spent.Nano()) / 1e9
}

// OwnSeconds returns the processor time of this process so far.
func OwnSeconds() float64 {
	var used syscall.Rusage
	fail.Check(syscall.Getrusage(syscall.RUSAGE_SELF, &used))
	return float64(used.Utime.Nano()+used.Stime.Nano()) / 1e9
}

// FreeAddress returns an unused loopback address.
func FreeAddress() string {
	listener := fail.Must(net.Listen("tcp", "127.0.0.1:0"))
	defer listener.Close()
	return listener.Addr().String()
}

// Finished describes a program that has ended.
type Finished struct {
	Output             string
	Seconds, Processor float64 // wall time, and processor time of user and system, in seconds
	PeakMB             float64 // peak memory in MiB
}

// RunToEnd runs a program.
func RunToEnd(ctx context.Context, program string, args ...string) Finished {
	command := exec.CommandContext(ctx, program, args...)
	begun := time.Now()
	out, err := command.CombinedOutput()
	seconds := time.Since(begun).Seconds()
	if err != nil {
		fail.Errorf("%s %s: %w\n%s", program, strings.Join(args, " "), err, out)
	}
	state := command.ProcessState
	return Finished{string(out), seconds, (state.UserTime() + state.SystemTime()).Seconds(),
		float64(state.SysUsage().(*syscall.Rusage).Maxrss) / 1024}
}

// RunAlone is RunToEnd by the small program peak, so that PeakMB has nothing of the memory of this process.
func RunAlone(ctx context.Context, peak, program string, args ...string) Finished {
	ended := RunToEnd(ctx, peak, append([]string{program}, args...)...)
	output := strings.TrimSpace(ended.Output)
	at := strings.LastIndexByte(output, '\n') + 1
	ended.Output, ended.PeakMB = strings.TrimSpace(output[:at]), fail.Must(strconv.ParseFloat(output[at:], 64))/1024
	return ended
}

// RunSelf runs a subprogram of the program that calls it.
func RunSelf(ctx context.Context, args ...string) Finished {
	return RunToEnd(ctx, fail.Must(os.Executable()), args...)
}
