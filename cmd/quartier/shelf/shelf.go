// Package shelf is the commands that keep releases in a store, quartier push and pull, and quartier retain, which removes them
// there or from a folder of releases.
package shelf

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"text/tabwriter"

	"github.com/urfave/cli/v2"

	"quartier/cmd/quartier/summary"
	"quartier/internal/store"
	"quartier/internal/store/releases"
	_ "quartier/internal/store/s3" // addresses of buckets
)

// ErrUsage is wrapped by errors of arguments.
var ErrUsage = errors.New("usage")

const addresses = "STORE is DIR, file:///DIR or s3://BUCKET/PREFIX, with AWS_ENDPOINT_URL, AWS_REGION, AWS_ACCESS_KEY_ID,\n" +
	"AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN."

// Push is quartier push.
func Push() *cli.Command {
	return &cli.Command{
		Name:      "push",
		Usage:     "send a release to a store, from which servers fetch it",
		ArgsUsage: "DIR STORE",
		Description: "DIR is a release, or a folder of releases of which that is sent which it publishes. Files are objects by their\n" +
			"SHA-256: what the store has is not sent again, and a push that was cut goes on when it is run again. " + addresses,
		Flags: []cli.Flag{&cli.BoolFlag{Name: "publish", Usage: "make it the release that servers of STORE serve"}},
		Action: func(c *cli.Context) error {
			dir, s, err := arguments(c, 0)
			if err != nil {
				return err
			}
			_, version, err := releases.Current(c.Context, s)
			if err != nil {
				return err
			}
			digest, sent, err := releases.Push(c.Context, s, dir)
			if err != nil {
				return err
			}
			fmt.Fprintf(c.App.Writer, "Release %s is in %s\n", digest, s)
			printMoved(c.App.Writer, "sent", sent)
			if !c.Bool("publish") {
				return nil
			}
			p, err := releases.Publish(c.Context, s, digest, version)
			if err != nil {
				return err
			}
			fmt.Fprintf(c.App.Writer, "Generation %d in %s is this release\n", p.Generation, s)
			return nil
		},
	}
}

// Pull is quartier pull.
func Pull() *cli.Command {
	return &cli.Command{
		Name:      "pull",
		Usage:     "fetch the release that a store publishes into a folder of releases",
		ArgsUsage: "STORE DIR",
		Description: "Fetches the components that DIR lacks, compares every byte, and publishes in DIR what the store publishes: servers\n" +
			"that follow DIR serve it. A pull that was cut goes on when it is run again. " + addresses,
		Flags: []cli.Flag{&cli.StringFlag{Name: "release", Usage: "fetch the release `DIGEST`, and publish nothing"}},
		Action: func(c *cli.Context) error {
			dir, s, err := arguments(c, 1)
			if err != nil {
				return err
			}
			digest, generation := c.String("release"), int64(0)
			if digest == "" {
				p, _, err := releases.Current(c.Context, s)
				if err == nil && p == nil {
					err = fmt.Errorf("%w: nothing is published in %s", releases.ErrNothing, s)
				}
				if err != nil {
					return err
				}
				digest, generation = p.Release, p.Generation
			} else if !store.IsDigest(digest) {
				return fmt.Errorf("%w: --release is the SHA-256 that push printed", ErrUsage)
			}
			r, fetched, err := releases.Fetch(c.Context, s, digest, dir)
			if err != nil {
				return err
			}
			fmt.Fprintf(c.App.Writer, "Release %s is in %s\n", digest, dir)
			printMoved(c.App.Writer, "fetched", fetched)
			table := tabwriter.NewWriter(c.App.Writer, 0, 0, 2, ' ', 0)
			for _, component := range r.Components {
				folder := filepath.Join(dir, filepath.FromSlash(component.Folder))
				fmt.Fprintf(table, "  %s\t%s\t%s\t%s\n", component.Name, component.AsOf, component.Digest, folder)
			}
			table.Flush()
			if generation == 0 {
				return nil
			}
			if err := releases.Install(dir, r, generation); err != nil {
				return err
			}
			fmt.Fprintf(c.App.Writer, "Published generation %d in %s\n", r.Pointer(generation).Generation, dir)
			return nil
		},
	}
}

// arguments are the two arguments of a command, of which one is a folder and the other one, at a place, is not.
func arguments(c *cli.Context, folder int) (dir string, s store.Store, err error) {
	if c.NArg() != 2 {
		return "", nil, fmt.Errorf("%w: %s are required", ErrUsage, c.Command.ArgsUsage)
	}
	s, err = store.Open(c.Context, c.Args().Get(1-folder))
	return c.Args().Get(folder), s, err
}

func printMoved(w io.Writer, what string, t *releases.Transfer) {
	fmt.Fprintf(w, "  %s %d files, %s; there already: %d files, %s\n", what, t.Files, summary.Bytes(t.Bytes), t.HadFiles,
		summary.Bytes(t.HadBytes))
}
