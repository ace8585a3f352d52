// Command quartier builds releases and operates them: it fetches sources, builds and verifies releases, writes the
// synthetic fixtures, and manages the accounts that may call the server.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"quartier/cmd/quartier/assistant"
	"quartier/cmd/quartier/batch"
	"quartier/cmd/quartier/region"
	"quartier/cmd/quartier/shelf"
	"quartier/cmd/quartier/stepping"

	"github.com/urfave/cli/v2"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := run(ctx, os.Args, os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// run runs the program with the given arguments and returns the exit code; tests call it too.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	app := &cli.App{
		Name:                   "quartier",
		Usage:                  "build verified releases of geographic data, and manage the accounts that may query them",
		Version:                version(),
		Writer:                 stdout,
		ErrWriter:              stderr,
		HideHelpCommand:        true,
		UseShortOptionHandling: true,
		ExitErrHandler:         func(*cli.Context, error) {},
		OnUsageError: func(_ *cli.Context, err error, _ bool) error {
			return usageError{err}
		},
		CustomAppHelpTemplate:     cli.AppHelpTemplate + exitCodeHelp,
		DisableSliceFlagSeparator: true, // reasons and paths have commas
		Commands: []*cli.Command{
			buildCommand(), planCommand(), marketCommand(), publishCommand(), rollbackCommand(), shelf.Retain(), verifyCommand(), diffCommand(),
			shelf.Push(), shelf.Pull(),
			surveyCommand(), explainCommand(), profileCommand(), exportCommand(), batch.Command(version()), batch.MatrixCommand(version()),
			region.Command(regionProgram()), fetchCommand(), fixturesCommand(),
			accountCommand(), keyCommand(), signCommand(), stateCommand(), updateCommand(), placeCommand(), demoCommand(), dataCommand(),
			assistant.Command(version(), logFlag(), logger), stepping.Command(contentFlags, buildOf),
		},
		Action: func(c *cli.Context) error {
			if c.Args().Present() {
				return usageError{fmt.Errorf("unknown command %q", c.Args().First())}
			}
			return cli.ShowAppHelp(c)
		},
	}
	for _, command := range app.Commands {
		passUsageErrors(command, app.OnUsageError)
	}
	err := app.RunContext(ctx, region.Arguments(args))
	if err == nil {
		return exitOK
	}
	if ctx.Err() != nil && !errors.Is(err, context.Canceled) {
		err = errors.Join(err, context.Canceled)
	}
	return report(stderr, err)
}

func passUsageErrors(command *cli.Command, handler cli.OnUsageErrorFunc) {
	command.OnUsageError = handler
	for _, sub := range command.Subcommands {
		passUsageErrors(sub, handler)
	}
}

// version returns the module version recorded by the go command.
func version() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}
