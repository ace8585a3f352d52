// Command inmemory runs a command whose temporary files are in memory, if there is enough. It ends with its exit code.
package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"syscall"

	"quartier/internal/testenv/inmemory"
)

func main() { os.Exit(run(os.Args[1:])) }

func run(args []string) int {
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, os.Interrupt, syscall.SIGTERM)
	defer inmemory.Use()()
	command := exec.Command(args[0], args[1:]...)
	command.Stdin, command.Stdout, command.Stderr = os.Stdin, os.Stdout, os.Stderr
	err := command.Start()
	if err == nil {
		go func() {
			for s := range stop {
				if s == syscall.SIGTERM { // a terminal interrupts the command itself
					command.Process.Signal(s)
				}
			}
		}()
		err = command.Wait()
	}
	var ended *exec.ExitError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &ended):
		return max(1, ended.ExitCode())
	}
	fmt.Fprintln(os.Stderr, "inmemory:", err)
	return 1
}
