package main

import (
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/urfave/cli/v2"

	"quartier/build/gates"
	"quartier/build/publish"
	"quartier/cmd/quartier/shelf"
	"quartier/cmd/quartier/summary"
	"quartier/schemas"
)

// releasesFlag is the folder of releases that a command works on.
func releasesFlag() cli.Flag {
	return &cli.StringFlag{Name: "releases", Usage: "`DIR` of the releases", Required: true}
}

// publishFlags are the flags of commands that publish.
func publishFlags() []cli.Flag {
	return []cli.Flag{
		releasesFlag(),
		acceptFlag(),
		signFlag(),
		&cli.StringFlag{Name: "market", Usage: "`FOLDER` of the market statistics (default: those that are published)"},
		&cli.StringFlag{Name: "private-market",
			Usage: "`FOLDER` of the market statistics of the private places (default: those that are published)"},
	}
}

func publishCommand() *cli.Command {
	return &cli.Command{
		Name:      "publish",
		Usage:     "publish a release, and what stands beside it, for a server",
		ArgsUsage: "NAME",
		Description: "NAME is a folder of DIR, or a path below it. Private places in NAME-private are published with it, and market statistics " +
			"that\n" +
			"are published stay where they stand beside the same places. Every file is compared with its manifest, and gates judge how\n" +
			"much the release differs from what is published: one beyond its limit ends with exit code 6, and --accept goes on. Writes\n" +
			schemas.PointerFile +
			", which names the folders that a server of DIR serves; servers follow it within seconds, without a request that\n" +
			"fails. Publishing what is published already changes nothing.",
		Flags: append(publishFlags(),
			&cli.StringFlag{Name: "private", Usage: "`FOLDER` of the private places (default: NAME-private, if it is there)"}),
		Action: func(c *cli.Context) error {
			if c.NArg() != 1 {
				return usageError{errors.New("NAME is required: a release in --releases")}
			}
			given := publish.Set{Private: c.String("private"), Market: c.String("market"), PrivateMarket: c.String("private-market")}
			accepted, err := acceptances(c)
			if err != nil {
				return err
			}
			key, err := signingKey(c)
			if err != nil {
				return err
			}
			return publishRelease(c.Context, c.App.Writer, c.String("releases"), c.Args().First(), given, accepted, key)
		},
	}
}

// publishRelease publishes a release of a folder of releases by name, past the gates, signed with a key unless that is nil.
func publishRelease(ctx context.Context, w io.Writer, dir, name string, given publish.Set, accepted []schemas.Acceptance,
	key ed25519.PrivateKey) error {
	folder, err := publish.OpenFolder(dir, "publish")
	if err != nil {
		return err
	}
	defer folder.Close()
	set, dropped, err := folder.Named(name, given)
	if err != nil {
		return err
	}
	before := folder.Current()
	next := publication{folder, dir, accepted, key}
	p, verdicts, err := next.publish(ctx, set)
	if errors.Is(err, gates.ErrTripped) {
		return publish.WithMarketHint(err, dir, set, dropped)
	}
	if err != nil {
		return err
	}
	printPublished(w, before, p, dir)
	for _, d := range dropped {
		fmt.Fprintf(w, "  not taken over: %s of %s in %s: %s\n", d.Name, d.AsOf, d.Folder, d.Why)
	}
	if verdicts != nil {
		fmt.Fprint(w, verdicts.Table())
	}
	return nil
}

// printPublished prints what is published, with a line for each component. before is what was.
func printPublished(w io.Writer, before, p *schemas.Pointer, dir string) {
	if p == before {
		fmt.Fprintf(w, "Generation %d in %s is that already\n", p.Generation, dir)
	} else {
		fmt.Fprintf(w, "Published generation %d in %s\n", p.Generation, dir)
	}
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, c := range p.Components {
		fmt.Fprintf(table, "  %s\t%s\t%s\t%s\n", c.Name, c.AsOf, c.Digest, c.Folder)
	}
	table.Flush()
}

func rollbackCommand() *cli.Command {
	return &cli.Command{
		Name:  "rollback",
		Usage: "publish an earlier release of a folder again",
		Description: "Publishes the components of the generation before as a new generation; after a rollback, of the one before that which " +
			"it\n" +
			"restored. Gates do not hold it back. " + schemas.GenerationsFolder + "/ in DIR has what was published.",
		Flags: []cli.Flag{releasesFlag(), signFlag(), &cli.Int64Flag{Name: "to", Usage: "`GENERATION` to restore (default: the one before)"}},
		Action: func(c *cli.Context) error {
			if c.Args().Present() || c.IsSet("to") && c.Int64("to") < 1 {
				return usageError{errors.New("there are no arguments but --releases, --sign and --to, a generation from 1")}
			}
			key, err := signingKey(c)
			if err != nil {
				return err
			}
			folder, err := publish.OpenFolder(c.String("releases"), "rollback")
			if err != nil {
				return err
			}
			defer folder.Close()
			folder.SignWith(key)
			before := folder.Current()
			p, err := folder.Rollback(c.Int64("to"))
			if err != nil {
				return err
			}
			printPublished(c.App.Writer, before, p, c.String("releases"))
			return nil
		},
	}
}

func retainCommand() *cli.Command {
	return &cli.Command{
		Name:  "retain",
		Usage: "remove releases of a folder that are not needed any more",
		Description: "Keeps the components of the last N generations and, of each of the last N releases of places, those of its last " +
			"generation;\n" +
			"what was never published; and folders with files that no manifest lists. Of a store, the last N releases that were published,\n" +
			"what was never published, and their objects.",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "releases", Usage: "`DIR` of the releases"},
			&cli.StringFlag{Name: "store", Usage: "`STORE` of releases, in place of --releases: DIR or s3://BUCKET/PREFIX, as of push"},
			&cli.IntFlag{Name: "keep", Usage: "keep the last `N`", Required: true},
			&cli.BoolFlag{Name: "unpublished", Usage: "remove releases that were never published too"},
			&cli.BoolFlag{Name: "dry-run", Usage: "print what would be removed, and remove nothing"},
		},
		Action: func(c *cli.Context) error {
			if c.Args().Present() || c.Int("keep") < 1 {
				return usageError{errors.New("--keep is at least 1, and there are no arguments")}
			}
			if (c.String("releases") == "") == (c.String("store") == "") {
				return usageError{errors.New("--releases DIR or --store STORE is required")}
			}
			if c.String("store") != "" {
				return shelf.Retain(c)
			}
			folder, err := publish.OpenFolder(c.String("releases"), "retain")
			if err != nil {
				return err
			}
			defer folder.Close()
			list, err := folder.Retain(c.Int("keep"), c.Bool("unpublished"), c.Bool("dry-run"))
			if err != nil {
				return err
			}
			printRetained(c.App.Writer, list, c.Bool("dry-run"))
			return nil
		},
	}
}

// printRetained prints a line for each component and what was removed in total.
func printRetained(w io.Writer, list []publish.Retained, dry bool) {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	var removed int
	var bytes int64
	for _, r := range list {
		what := "keep"
		if r.Remove {
			what, removed, bytes = "remove", removed+1, bytes+r.Bytes
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\n", what, r.Folder, r.Component, summary.Bytes(r.Bytes), r.Why)
	}
	table.Flush()
	done := "Removed"
	if dry {
		done = "Would remove"
	}
	fmt.Fprintf(w, "%s %d of %d, %s\n", done, removed, len(list), summary.Bytes(bytes))
}
