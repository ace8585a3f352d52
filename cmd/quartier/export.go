package main

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"

	"quartier/build/export"
	"quartier/cmd/quartier/agreed"
	"quartier/cmd/quartier/summary"
	"quartier/schemas"
)

func exportCommand() *cli.Command {
	return &cli.Command{
		Name:  "export",
		Usage: "write the tables of a release as GeoParquet, CSV or FlatGeobuf, with a catalog",
		Description: "Writes a file for each table, or one for each level or state, and " + export.CatalogFile +
			", a STAC collection with columns, digests and\n" +
			"licences. docs/export.md describes the tables. With --customer NAME the export has what that customer may have. The same\n" +
			"release gives the same bytes on every machine.\n\nTABLES: " + strings.Join(export.Names(), ", "),
		Flags: append([]cli.Flag{
			&cli.StringFlag{Name: "release", Usage: "release folder `DIR`, or a folder of releases with " + schemas.PointerFile},
			&cli.StringFlag{Name: "market", Usage: "`DIR` of the component market (default: the one that the pointer names)"},
			&cli.StringFlag{Name: "out", Usage: "`DIR` of the files"},
			&cli.StringFlag{Name: "tables", Usage: "comma list of `TABLES` (default: all)"},
			&cli.StringFlag{Name: "format", Usage: "parquet, csv or flatgeobuf", Value: export.Parquet},
			&cli.StringFlag{Name: "partition", Usage: "divide tables that have it by level or state"},
			&cli.StringFlag{Name: "private",
				Usage: "`DIR` of the component private, with --customer (default: RELEASE-private or the one that the pointer names, if there is one)"},
			&cli.BoolFlag{Name: "force", Usage: "replace an export"},
			&cli.BoolFlag{Name: "columns", Usage: "print the tables and their columns, and export nothing"},
			logFlag(),
		}, agreed.Flags("export for")...),
		Action: func(c *cli.Context) error {
			if c.Bool("columns") {
				_, err := io.WriteString(c.App.Writer, export.Document())
				return err
			}
			o, err := exportOptions(c)
			if err != nil {
				return err
			}
			files, err := export.Run(c.Context, o)
			if errors.Is(err, export.ErrOptions) || errors.Is(err, export.ErrNoTable) {
				return usageError{err}
			}
			if err != nil {
				return err
			}
			return summary.Export(c.App.Writer, files, o.Out)
		},
	}
}

func exportOptions(c *cli.Context) (o export.Options, err error) {
	if c.Args().Present() {
		return o, usageError{fmt.Errorf("unexpected argument %q", c.Args().First())}
	}
	for _, flag := range []string{"release", "out"} {
		if c.String(flag) == "" {
			return o, usageError{fmt.Errorf("give --%s DIR", flag)}
		}
	}
	if c.IsSet("private") && c.String("customer") == "" {
		return o, usageError{errors.New("--private is for --customer")}
	}
	o = export.Options{
		Customer: c.String("customer"), Market: c.String("market"), Private: c.String("private"), Out: filepath.Clean(c.String("out")),
		Format: c.String("format"), Partition: c.String("partition"), Force: c.Bool("force"),
	}
	for name := range strings.SplitSeq(c.String("tables"), ",") {
		if name = strings.TrimSpace(name); name != "" {
			o.Tables = append(o.Tables, name)
		}
	}
	if o.Agreement, err = agreed.ForExport(c); errors.Is(err, agreed.ErrUsage) {
		return o, usageError{err}
	} else if err != nil {
		return o, err
	}
	if o.Log, err = logger(c); err != nil {
		return o, err
	}
	return o, exportFolders(&o, c.String("release"))
}

// exportFolders finds the folders of the components.
func exportFolders(o *export.Options, release string) (err error) {
	if o.Places, err = placesOf(release); err != nil {
		return err
	}
	if of, err := schemas.ComponentOf(o.Places); err != nil || of != schemas.Places {
		return fmt.Errorf("--release %s: %w", release, errNoPlaces)
	}
	pointer, err := schemas.ReadPointer(release)
	if err != nil {
		return err
	}
	if o.Market == "" && pointer != nil {
		if o.Market, err = schemas.ComponentFolder(release, schemas.Market); err != nil {
			return err
		}
	}
	if o.Customer != "" {
		o.Private, err = agreed.Private(release, o.Places, o.Private)
	}
	return err
}
