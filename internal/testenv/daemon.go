package testenv

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"time"
)

// daemon is a server that runs until it is stopped.
type daemon struct {
	*exec.Cmd
	output bytes.Buffer
	ended  chan struct{}
}

func start(command *exec.Cmd) (*daemon, error) {
	d := &daemon{Cmd: command, ended: make(chan struct{})}
	d.Stdout, d.Stderr = &d.output, &d.output
	if err := d.Start(); err != nil {
		return nil, err
	}
	go func() {
		d.Wait()
		close(d.ended)
	}()
	return d, nil
}

// until waits until nothing is wrong, while all of some daemons run.
func until(wrong func() error, daemons ...*daemon) error {
	for deadline := time.Now().Add(patience); ; time.Sleep(20 * time.Millisecond) {
		err := wrong()
		if err == nil || time.Now().After(deadline) {
			return err
		}
		for _, d := range daemons {
			select {
			case <-d.ended:
				return fmt.Errorf("%s ended: %w", d.Path, err)
			default:
			}
		}
	}
}

// stop ends a daemon by a signal, and by force if that takes too long.
func (d *daemon) stop(signal os.Signal) {
	d.Process.Signal(signal)
	select {
	case <-d.ended:
	case <-time.After(patience):
		d.Process.Kill()
		<-d.ended
	}
}
