package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// process is a program that the bench started and stops by its process id.
type process struct {
	command *exec.Cmd
	output  bytes.Buffer
	ended   chan error
}

func start(ctx context.Context, program string, args ...string) (*process, error) {
	return startAs(ctx, nil, program, args...)
}

// startAs starts a program, as another user if credential is given.
func startAs(ctx context.Context, credential *syscall.Credential, program string, args ...string) (*process, error) {
	p := &process{command: exec.CommandContext(ctx, program, args...), ended: make(chan error, 1)}
	p.command.Stdout, p.command.Stderr = &p.output, &p.output
	p.command.SysProcAttr = &syscall.SysProcAttr{Credential: credential}
	if err := p.command.Start(); err != nil {
		return nil, fmt.Errorf("start %s: %w", program, err)
	}
	go func() { p.ended <- p.command.Wait() }()
	return p, nil
}

// await polls ready for at most half a minute.
func (p *process) await(ctx context.Context, ready func() bool) error {
	for deadline := time.Now().Add(30 * time.Second); time.Now().Before(deadline); {
		select {
		case err := <-p.ended:
			p.ended <- err
			return fmt.Errorf("%s ended: %w\n%s", p.command.Path, errors.Join(err, ctx.Err()), p.output.String())
		case <-time.After(5 * time.Millisecond):
		}
		if ready() {
			return nil
		}
	}
	return fmt.Errorf("%s is not ready after 30 s", p.command.Path)
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

// memory is the resident memory of a process in bytes: anonymous pages and mapped files.
type memory struct{ anonymous, files int64 }

func (p *process) memory() (memory, error) {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.command.Process.Pid))
	if err != nil {
		return memory{}, err
	}
	field := func(name string) int64 {
		for _, line := range strings.Split(string(data), "\n") {
			if rest, found := strings.CutPrefix(line, name+":"); found {
				kb, _ := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(rest), " kB"), 10, 64)
				return kb << 10
			}
		}
		return 0
	}
	return memory{anonymous: field("RssAnon"), files: field("RssFile")}, nil
}

// runToEnd runs a program and returns its wall time and peak memory.
func runToEnd(ctx context.Context, program string, args ...string) (output string, wall time.Duration, peak int64, err error) {
	command := exec.CommandContext(ctx, program, args...)
	begun := time.Now()
	out, err := command.CombinedOutput()
	wall = time.Since(begun)
	if err != nil {
		return "", 0, 0, fmt.Errorf("%s %s: %w\n%s", program, strings.Join(args, " "), err, out)
	}
	if usage, ok := command.ProcessState.SysUsage().(*syscall.Rusage); ok {
		peak = usage.Maxrss << 10
	}
	return string(out), wall, peak, nil
}
