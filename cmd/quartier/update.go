package main

import (
	"errors"
	"fmt"
	"os"
	"os/user"
	"path/filepath"

	"github.com/urfave/cli/v2"

	"quartier/build/publish"
	"quartier/cmd/quartier/summary"
	"quartier/schemas"
	"quartier/serve/state"
)

// Errors of general updates.
var (
	errFile      = errors.New("the general update runs, but its requests file is not written")
	errNoPrivate = errors.New("no component private with the outcomes of the general update")
)

func updateCommand() *cli.Command {
	outFlag := &cli.StringFlag{Name: "out",
		Usage: "`FILE` of the requests to write; it has what customers drew, and is readable by its owner only", Required: true}
	return &cli.Command{
		Name:  "update",
		Usage: "publish the private geographies that customers asked for",
		Description: "start freezes what is pending into FILE, quartier build --requests FILE --out DIR/NAME builds it, and complete " +
			"publishes\n" +
			"DIR/NAME and writes back what became of each request. docs/custom-geographies.md describes the steps.",
		Subcommands: []*cli.Command{{
			Name:   "start",
			Usage:  "start a general update: requests that are pending are frozen, and later edits wait for the next update",
			Flags:  []cli.Flag{stateFlag(), outFlag},
			Action: startUpdate,
		}, {
			Name:  "file",
			Usage: "write the requests file of the update that runs again",
			Flags: []cli.Flag{stateFlag(), outFlag},
			Action: func(c *cli.Context) error {
				return withStore(c, func(s *state.Store) error { return writeUpdate(c, s) })
			},
		}, {
			Name:  "status",
			Usage: "print the update that runs or the last one, the states of all requests, and why some could not be built",
			Flags: []cli.Flag{stateFlag()},
			Action: func(c *cli.Context) error {
				return withStore(c, func(s *state.Store) error { return summary.Update(c.Context, c.App.Writer, s) })
			},
		}, {
			Name: "complete",
			Usage: "publish a release with the private geographies of the update that runs, and end it; run again after an interruption, it " +
				"finishes",
			ArgsUsage: "NAME",
			Flags:     append(publishFlags(), stateFlag()),
			Action:    completeUpdate,
		}, {
			Name:  "abort",
			Usage: "end the update that runs without publishing; its requests are pending again",
			Flags: []cli.Flag{stateFlag(), &cli.BoolFlag{Name: "unpublished",
				Usage: "also where a completion was interrupted: servers have nothing of the update, or an earlier release was published since"}},
			Action: abortUpdate,
		}, {
			Name: "exclude",
			Usage: "take a request out of the update that runs, and of those that follow until it is edited or included again; what is published " +
				"of it stays",
			ArgsUsage: "ID",
			Flags:     []cli.Flag{stateFlag(), &cli.StringFlag{Name: "why", Usage: "`TEXT` that status shows", Required: true}},
			Action:    excludeRequest,
		}, {
			Name:      "include",
			Usage:     "end the exclusion of a request: it is part of the next update that starts",
			ArgsUsage: "ID",
			Flags:     []cli.Flag{stateFlag()},
			Action:    includeRequest,
		}, {
			Name:  "events",
			Usage: "print what updates published, as a line of JSON each",
			Flags: []cli.Flag{stateFlag(), &cli.Int64Flag{Name: "after", Usage: "only those after the number `N`"}},
			Action: func(c *cli.Context) error {
				return withStore(c, func(s *state.Store) error { return summary.Publications(c.Context, c.App.Writer, s, c.Int64("after")) })
			},
		}},
	}
}

// startUpdate starts an update once it is certain that its file can be created.
func startUpdate(c *cli.Context) error {
	return withStore(c, func(store *state.Store) error {
		beside, err := publish.CreateBeside(c.String("out"))
		if err != nil {
			return err
		}
		defer os.Remove(beside)
		if _, err := store.StartUpdate(c.Context, operator()); err != nil {
			return err
		}
		return writeUpdate(c, store)
	})
}

// operator describes who runs the program.
func operator() string {
	name, host := "unknown user", "unknown host"
	if u, err := user.Current(); err == nil {
		name = u.Username
	}
	if h, err := os.Hostname(); err == nil {
		host = h
	}
	return fmt.Sprintf("%s on %s (process %d)", name, host, os.Getpid())
}

// writeUpdate writes the requests file of the update that runs.
func writeUpdate(c *cli.Context, store *state.Store) error {
	requests, err := store.FrozenRequests(c.Context)
	if err != nil {
		return err
	}
	out := c.String("out")
	digest, err := publish.WriteRequests(out, requests)
	if err == nil {
		err = store.RecordFile(c.Context, requests.Update, digest)
	}
	if err != nil {
		return fmt.Errorf("%w: %w", errFile, err)
	}
	actions := map[string]int{}
	for _, r := range requests.Requests {
		actions[r.Action]++
	}
	_, err = fmt.Fprintf(c.App.Writer,
		"General update %d of %s: %d to publish, %d to deprecate or deprecated before, %d to keep\n  %s  SHA-256 %s\n", requests.Update,
		requests.AsOf,
		actions[schemas.PublishRequest], actions[schemas.DeprecateRequest], actions[schemas.KeepRequest], out, digest)
	return err
}

func completeUpdate(c *cli.Context) error {
	if c.NArg() != 1 {
		return usageError{errors.New("NAME is required: a release in --releases")}
	}
	accepted, err := acceptances(c)
	if err != nil {
		return err
	}
	key, err := signingKey(c)
	if err != nil {
		return err
	}
	dir, name := c.String("releases"), c.Args().First()
	private, err := privateOf(dir, name)
	if err != nil {
		return err
	}
	outcomes, err := schemas.ReadOutcomes(filepath.Join(private, schemas.OutcomesFile))
	if err != nil {
		return fmt.Errorf("%w: %w", errNoPrivate, err)
	}
	manifest, err := schemas.ReadPrivateManifest(private)
	if err != nil {
		return fmt.Errorf("%w: %w", errNoPrivate, err)
	}
	if manifest.Update != outcomes.Update || manifest.Requests != outcomes.Requests {
		return fmt.Errorf("%w: %s: its manifest is of update %d and its outcomes of update %d", errNoPrivate, private, manifest.Update,
			outcomes.Update)
	}
	return withStore(c, func(store *state.Store) error {
		_, err := store.CompleteUpdate(c.Context, outcomes, manifest.Digest, func() (bool, error) {
			err := publishRelease(c.Context, c.App.Writer, dir, name,
				publish.Set{Private: private, Market: c.String("market"), PrivateMarket: c.String("private-market")}, accepted, key)
			return err == nil || publishes(dir, manifest.Digest), err
		})
		if err != nil {
			return err
		}
		return summary.Update(c.Context, c.App.Writer, store)
	})
}

// privateOf is the folder of the private places beside a release of a folder of releases.
func privateOf(dir, name string) (string, error) {
	if inside := filepath.Join(dir, name); filepath.IsLocal(name) {
		if _, err := os.Stat(inside); err == nil {
			name = inside
		}
	}
	return filepath.Abs(filepath.Clean(name) + "-private")
}

// publishes reports whether servers of a folder of releases may have a component private.
func publishes(dir, digest string) bool {
	p, err := schemas.ReadPointer(dir)
	if err != nil || p == nil {
		return err != nil
	}
	private, _ := p.Component(schemas.Private)
	return private.Digest == digest
}

func abortUpdate(c *cli.Context) error {
	return withStore(c, func(store *state.Store) error {
		u, err := store.AbortUpdate(c.Context, c.Bool("unpublished"))
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(c.App.Writer, "General update %d is aborted; its requests are pending again\n", u.Number)
		return err
	})
}
