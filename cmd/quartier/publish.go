package main

import (
	"errors"
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/urfave/cli/v2"

	"quartier/build/publish"
	"quartier/schemas"
)

// releasesFlag is the folder of releases that a command works on.
func releasesFlag() cli.Flag {
	return &cli.StringFlag{Name: "releases", Usage: "`DIR` of the releases", Required: true}
}

func publishCommand() *cli.Command {
	return &cli.Command{
		Name:      "publish",
		Usage:     "publish a release, and what stands beside it, for a server",
		ArgsUsage: "NAME",
		Description: "NAME is a folder of DIR, or a path below it. Private places in NAME-private are published with it, and market statistics that\n" +
			"are published stay where they stand beside the same places. Every file is compared with its manifest. Writes\n" +
			schemas.PointerFile + ", which names the folders that a server of DIR serves; servers follow it within seconds, without a request that\n" +
			"fails. Publishing what is published already changes nothing.",
		Flags: []cli.Flag{
			releasesFlag(),
			&cli.StringFlag{Name: "private", Usage: "`FOLDER` of the private places (default: NAME-private, if it is there)"},
			&cli.StringFlag{Name: "market", Usage: "`FOLDER` of the market statistics (default: those that are published)"},
			&cli.StringFlag{Name: "private-market", Usage: "`FOLDER` of the market statistics of the private places (default: those that are published)"},
		},
		Action: func(c *cli.Context) error {
			if c.NArg() != 1 {
				return usageError{errors.New("NAME is required: a release in --releases")}
			}
			given := publish.Set{Private: c.String("private"), Market: c.String("market"), PrivateMarket: c.String("private-market")}
			return publishRelease(c.App.Writer, c.String("releases"), c.Args().First(), given)
		},
	}
}

// publishRelease publishes a release of a folder of releases by name.
func publishRelease(w io.Writer, dir, name string, given publish.Set) error {
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
	next, err := folder.Refer(set)
	if err != nil {
		return err
	}
	p, err := folder.Publish(next, nil)
	if err != nil {
		return err
	}
	if p == before {
		fmt.Fprintf(w, "Generation %d in %s is that already\n", p.Generation, dir)
	} else {
		fmt.Fprintf(w, "Published generation %d in %s\n", p.Generation, dir)
	}
	printPointer(w, p)
	for _, d := range dropped {
		fmt.Fprintf(w, "  not taken over: %s of %s in %s: %s\n", d.Name, d.AsOf, d.Folder, d.Why)
	}
	return nil
}

// printPointer prints a line for each component.
func printPointer(w io.Writer, p *schemas.Pointer) {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, c := range p.Components {
		fmt.Fprintf(table, "  %s\t%s\t%s\t%s\n", c.Name, c.AsOf, c.Digest, c.Folder)
	}
	table.Flush()
}
