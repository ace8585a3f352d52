// Command quartier-fleet runs the steps of a build on many machines by Temporal (docs/scale-temporal.md): coordinate starts the
// workflow of a plan and shows where it is, worker runs steps on one machine. Of quartier it knows the commands step plan and step
// run alone, and it is a program of its own so that quartier and quartierd do not link Temporal.
package main

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/urfave/cli/v2"
)

// Exit codes, also listed in the help.
const (
	exitFailure     = 1
	exitUsage       = 2
	exitAlarm       = 8
	exitInterrupted = 130
)

const exitCodeHelp = `
EXIT CODES:
   0    every step is done
   1    steps are missing, the workflow was cancelled, or any other failure
   2    usage error
   8    alarm: two attempts of a step ended with different digests
   130  interrupted: the workflow goes on
        or that of quartier step plan

ENVIRONMENT:
   TEMPORAL_ADDRESS, TEMPORAL_NAMESPACE, TEMPORAL_TLS_CLIENT_CERT_PATH, TEMPORAL_API_KEY and others of Temporal's own tools;
   TEMPORAL_CONFIG_FILE, a file of theirs
`

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // the second signal ends the program at once
	os.Exit(run(ctx, os.Args, os.Stdout, os.Stderr))
}

// run runs the program with the given arguments and returns the exit code; tests call it too.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	usage := func(_ *cli.Context, err error, _ bool) error { return cli.Exit(err, exitUsage) }
	app := &cli.App{
		Name: "quartier-fleet", Usage: "run the steps of a build on many machines, by Temporal",
		Writer: stdout, ErrWriter: stderr, HideHelpCommand: true, HideVersion: true, DisableSliceFlagSeparator: true,
		ExitErrHandler: func(*cli.Context, error) {}, OnUsageError: usage, CustomAppHelpTemplate: cli.AppHelpTemplate + exitCodeHelp,
		Commands: []*cli.Command{coordinateCommand(), workerCommand()},
	}
	for _, command := range app.Commands {
		command.OnUsageError = usage
	}
	err := app.RunContext(ctx, args)
	if err == nil {
		return 0
	}
	fmt.Fprintf(stderr, "quartier-fleet: error: %v\n", err)
	var coded cli.ExitCoder // also that of a process
	switch {
	case errors.Is(err, context.Canceled):
		return exitInterrupted
	case errors.As(err, &coded) && coded.ExitCode() > 0:
		return coded.ExitCode()
	case strings.HasPrefix(err.Error(), "Required flag"):
		return exitUsage
	}
	return exitFailure
}

// quartier is the absolute path of the program quartier, and the digest of its file.
func quartier(c *cli.Context) (program, digest string, err error) {
	if program = c.String("quartier"); program == "" {
		program = "quartier"
		if self, err := os.Executable(); err == nil {
			if beside, err := exec.LookPath(filepath.Join(filepath.Dir(self), program)); err == nil {
				program = beside
			}
		}
	}
	if program, err = exec.LookPath(program); err == nil {
		program, err = filepath.Abs(program)
	}
	if err != nil {
		return "", "", cli.Exit(fmt.Errorf("--quartier: %w", err), exitUsage)
	}
	file, err := os.Open(program)
	if err != nil {
		return "", "", err
	}
	defer file.Close()
	h := sha256.New()
	_, err = io.Copy(h, file)
	return program, fmt.Sprintf("%x", h.Sum(nil)[:6]), err
}
