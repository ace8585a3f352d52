// Command quartier is the pipeline and the operator's tool: it fetches and builds releases, verifies them, makes the
// fixture world and keeps the accounts that may call the server.
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

	"github.com/urfave/cli/v2"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := run(ctx, os.Args, os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// run is the program without the process around it, so that tests can call it.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	app := &cli.App{
		Name:                   "quartier",
		Usage:                  "turn sources about places into verified releases, and keep who may ask for them",
		Version:                version(),
		Writer:                 stdout,
		ErrWriter:              stderr,
		HideHelpCommand:        true,
		UseShortOptionHandling: true,
		ExitErrHandler:         func(*cli.Context, error) {},
		OnUsageError: func(_ *cli.Context, err error, _ bool) error {
			return usageError{err}
		},
		CustomAppHelpTemplate: cli.AppHelpTemplate + exitCodeHelp,
		Commands: []*cli.Command{
			buildCommand(), verifyCommand(), compareCommand(), surveyCommand(), explainCommand(), fetchCommand(), fixturesCommand(), accountCommand(), keyCommand(), demoCommand(), dataCommand(),
		},
		Action: func(c *cli.Context) error {
			if c.Args().Present() {
				return usageError{fmt.Errorf("no command is called %q", c.Args().First())}
			}
			return cli.ShowAppHelp(c)
		},
	}
	for _, command := range app.Commands {
		passUsageErrors(command, app.OnUsageError)
	}
	err := app.RunContext(ctx, args)
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

// version is the module's version, as the go command knows it.
func version() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}
