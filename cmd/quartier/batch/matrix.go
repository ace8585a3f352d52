package batch

import (
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/urfave/cli/v2"

	"quartier/cmd/quartier/journeys"
	"quartier/internal/arrowfile"
	"quartier/internal/travel"
	"quartier/serve/release"
)

// MatrixCommand is quartier matrix, of a version of the program.
func MatrixCommand(version string) *cli.Command {
	return &cli.Command{
		Name:  "matrix",
		Usage: "compute the minutes from the points of a file to those of another one, on foot, by bicycle, by car or by transit",
		Description: "The output has a row for each pair, by the rows of --from, then by those of --to: from_id, to_id, and for each\n" +
			"percentile of the departures of the window minutes_p50 …, NULL where they are beyond the limit or not known, in CSV nothing.\n" +
			"Times on foot, by bicycle and by car do not depend on the departure. Progress is on standard error. An interrupted run\n" +
			"continues with --resume.",
		Flags: slices.Concat([]cli.Flag{
			&cli.PathFlag{Name: "release", Usage: "release folder `DIR`, or a folder of releases", Required: true},
			&cli.PathFlag{Name: "from", Required: true, Usage: "`FILE` with a point in each row: .csv, .xlsx, .parquet, .geoparquet, .geojson or " +
				".gpkg with an id and coordinates, or with cells of H3 as ids; h3:8 are such cells in which the release has residents or streets"},
			&cli.PathFlag{Name: "to", Usage: "`FILE` likewise (default: that of --from)"},
			&cli.PathFlag{Name: "out", Usage: "`FILE` to write, .csv or .parquet; '-' is CSV on standard output", Required: true},
			&cli.StringFlag{Name: "id", Value: "id", Usage: "`COLUMN` of the ids of both files, each once"},
			&cli.StringFlag{Name: "lat", Usage: "`COLUMN` of latitudes of both (default: guessed)"},
			&cli.StringFlag{Name: "lng", Usage: "`COLUMN` of longitudes of both"},
			&cli.BoolFlag{Name: "resume", Usage: "continue an interrupted run of the same files and options"},
			&cli.BoolFlag{Name: "force", Usage: "replace the output"},
		}, journeys.Flags("50")),
		Action: func(c *cli.Context) error { return runMatrix(c, version) },
	}
}

// matrixOptions are the options of a run.
func matrixOptions(c *cli.Context) (o Options, how travel.Options, err error) {
	o = Options{Out: c.Path("out"), Lat: c.String("lat"), Lng: c.String("lng"), Resume: c.Bool("resume"), Force: c.Bool("force"),
		Stdout: c.App.Writer, Screen: c.App.ErrWriter}
	if how, err = journeys.Options(c); err != nil {
		return o, how, err
	}
	switch {
	case c.Args().Present():
		err = fmt.Errorf("unexpected argument %q", c.Args().First())
	case (o.Lat == "") != (o.Lng == ""):
		err = errors.New("give both of --lat and --lng")
	case o.Out == Standard && o.Resume:
		err = errors.New("a run to standard output cannot be resumed")
	case o.Out == Standard:
		o.OutFormat = arrowfile.CSV
	default:
		o.OutFormat, err = arrowfile.FormatOf(o.Out)
	}
	if o.OutFormat == arrowfile.GeoParquet {
		err = errors.New("--out has no geometries; it is .csv or .parquet")
	}
	if err != nil {
		err = fmt.Errorf("%w: %w", ErrUsage, err)
	}
	return o, how, err
}

// runMatrix is the command.
func runMatrix(c *cli.Context, version string) error {
	o, how, err := matrixOptions(c)
	if err != nil {
		return err
	}
	o.Version = version
	if _, err := os.Lstat(o.Out); err == nil && !o.Force && o.Out != Standard {
		return fmt.Errorf("%w: %s", ErrExists, o.Out)
	}
	m := &matrix{Options: o, how: how}
	if m.release, err = release.Open(c.Path("release")); err != nil {
		return err
	}
	defer m.release.Done()
	m.world = m.release.Travel
	if err := journeys.Check(m.world, how); err != nil {
		return err
	}
	if m.from, err = readPoints(m.release, c.Path("from"), o, c.String("id")); err != nil {
		return fmt.Errorf("--from %w", err)
	}
	m.to = m.from
	if to := c.Path("to"); to != "" {
		if m.to, err = readPoints(m.release, to, o, c.String("id")); err != nil {
			return fmt.Errorf("--to %w", err)
		}
	}
	fmt.Fprintf(o.Screen, "matrix: %d × %d points, %s\n", len(m.from.ids), len(m.to.ids), journeys.Words(how))
	if note := journeys.Clocks(m.world, how); note != "" {
		fmt.Fprintln(o.Screen, note)
	}
	s, err := m.run(c.Context)
	if err != nil {
		return err
	}
	return m.conclude(&s)
}
