package shelf

import (
	"fmt"
	"text/tabwriter"

	"github.com/urfave/cli/v2"

	"quartier/build/publish"
	"quartier/cmd/quartier/summary"
	"quartier/internal/store"
	"quartier/internal/store/releases"
)

// Retain is quartier retain.
func Retain() *cli.Command {
	return &cli.Command{
		Name:  "retain",
		Usage: "remove releases of a folder or store that are not needed any more",
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
			switch {
			case c.Args().Present() || c.Int("keep") < 1:
				return fmt.Errorf("%w: --keep is at least 1, and there are no arguments", ErrUsage)
			case (c.String("releases") == "") == (c.String("store") == ""):
				return fmt.Errorf("%w: --releases DIR or --store STORE is required", ErrUsage)
			case c.String("store") != "":
				return retainStore(c)
			}
			return retainFolder(c)
		},
	}
}

// retainFolder removes components of a folder of releases.
func retainFolder(c *cli.Context) error {
	folder, err := publish.OpenFolder(c.String("releases"), "retain")
	if err != nil {
		return err
	}
	defer folder.Close()
	list, err := folder.Retain(c.Int("keep"), c.Bool("unpublished"), c.Bool("dry-run"))
	if err != nil {
		return err
	}
	table := tabwriter.NewWriter(c.App.Writer, 0, 0, 2, ' ', 0)
	var removed int
	var bytes int64
	for _, r := range list {
		if r.Remove {
			removed, bytes = removed+1, bytes+r.Bytes
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\n", verdict(r.Remove), r.Folder, r.Component, summary.Bytes(r.Bytes), r.Why)
	}
	table.Flush()
	fmt.Fprintf(c.App.Writer, "%s %d of %d, %s\n", done(c), removed, len(list), summary.Bytes(bytes))
	return nil
}

// retainStore removes releases of a store, and the objects that no other one has.
func retainStore(c *cli.Context) error {
	s, err := store.Open(c.Context, c.String("store"))
	if err != nil {
		return err
	}
	list, objects, bytes, err := releases.Retain(c.Context, s,
		releases.Retention{Keep: c.Int("keep"), Unpublished: c.Bool("unpublished"), Dry: c.Bool("dry-run")})
	if err != nil {
		return err
	}
	table := tabwriter.NewWriter(c.App.Writer, 0, 0, 2, ' ', 0)
	for _, r := range list {
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\n", verdict(r.Remove), r.Digest, r.AsOf, summary.Bytes(r.Bytes), r.Why)
	}
	table.Flush()
	fmt.Fprintf(c.App.Writer, "%s %d objects, %s\n", done(c), objects, summary.Bytes(bytes))
	return nil
}

func verdict(remove bool) string {
	if remove {
		return "remove"
	}
	return "keep"
}

func done(c *cli.Context) string {
	if c.Bool("dry-run") {
		return "Would remove"
	}
	return "Removed"
}
