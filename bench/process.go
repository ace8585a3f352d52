package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"
)

// process is a program that the bench started and stops by its process id.
type process struct {
	command *exec.Cmd
	output  bytes.Buffer
	ended   chan struct{} // closed when the program has ended
	err     error         // of the ended program
}

// start starts a program, as another user if owner is given.
func start(ctx context.Context, owner *syscall.Credential, program string, args ...string) *process {
	p := &process{command: exec.CommandContext(ctx, program, args...), ended: make(chan struct{})}
	p.command.Stdout, p.command.Stderr = &p.output, &p.output
	p.command.SysProcAttr = &syscall.SysProcAttr{Credential: owner}
	check(p.command.Start())
	go func() {
		p.err = p.command.Wait()
		close(p.ended)
	}()
	return p
}

// await polls ready for at most half a minute, and stops the process if it is not ready then.
func (p *process) await(ctx context.Context, ready func() bool) {
	for deadline := time.Now().Add(30 * time.Second); time.Now().Before(deadline); {
		select {
		case <-p.ended:
			failf("%s ended: %w\n%s", p.command.Path, errors.Join(p.err, ctx.Err()), p.output.String())
		case <-time.After(5 * time.Millisecond):
		}
		if ready() {
			return
		}
	}
	p.stop()
	failf("%s is not ready after 30 s", p.command.Path)
}

func (p *process) stop() {
	p.command.Process.Signal(os.Interrupt)
	select {
	case <-p.ended:
	case <-time.After(10 * time.Second):
		p.command.Process.Kill()
		<-p.ended
	}
}

// memoryMB returns the resident memory of the process in MiB: RssAnon are its anonymous pages, RssFile its mapped files.
func (p *process) memoryMB(field string) (mb float64) {
	data := must(os.ReadFile(fmt.Sprintf("/proc/%d/status", p.command.Process.Pid)))
	_, rest, _ := strings.Cut(string(data), field+":")
	must(fmt.Sscan(rest, &mb))
	return mb / 1024
}

// seconds returns the processor time of the process so far, to a hundredth of a second.
func (p *process) seconds() float64 {
	data := must(os.ReadFile(fmt.Sprintf("/proc/%d/stat", p.command.Process.Pid)))
	fields := strings.Fields(string(data[bytes.LastIndexByte(data, ')')+1:])) // the state is field 3
	var user, system float64
	must(fmt.Sscan(fields[14-3], &user))
	must(fmt.Sscan(fields[15-3], &system))
	return (user + system) / 100
}

// freeAddress returns an unused loopback address.
func freeAddress() string {
	listener := must(net.Listen("tcp", "127.0.0.1:0"))
	defer listener.Close()
	return listener.Addr().String()
}

// finished describes a program that has ended.
type finished struct {
	output          string
	seconds, peakMB float64 // wall time, and peak memory in MiB
}

// runToEnd runs a program.
func runToEnd(ctx context.Context, program string, args ...string) finished {
	command := exec.CommandContext(ctx, program, args...)
	begun := time.Now()
	out, err := command.CombinedOutput()
	seconds := time.Since(begun).Seconds()
	if err != nil {
		failf("%s %s: %w\n%s", program, strings.Join(args, " "), err, out)
	}
	return finished{string(out), seconds, float64(command.ProcessState.SysUsage().(*syscall.Rusage).Maxrss) / 1024}
}

// runSelf runs a subprogram of the bench.
func runSelf(ctx context.Context, args ...string) finished {
	return runToEnd(ctx, must(os.Executable()), args...)
}
