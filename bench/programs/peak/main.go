// Command peak runs a program, PROGRAM ARGUMENTS…, and prints its peak memory in KiB after what it prints. A program that a large
// one starts has the memory of that one as its peak until it takes more; this one is small.
package main

import (
	"fmt"
	"os"
	"os/exec"
	"syscall"
)

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "usage: peak PROGRAM [ARGUMENT...]")
		os.Exit(2)
	}
	command := exec.Command(os.Args[1], os.Args[2:]...)
	command.Stdout, command.Stderr = os.Stdout, os.Stderr
	if err := command.Run(); err != nil {
		fmt.Fprintln(os.Stderr, "peak:", err)
		os.Exit(1)
	}
	fmt.Println(command.ProcessState.SysUsage().(*syscall.Rusage).Maxrss)
}
