package batch

import (
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"quartier/cmd/quartier/agreed"
	"quartier/internal/arrowfile"
	"quartier/internal/pack/addresses"
	"quartier/serve/enrich"
	"quartier/serve/release"
)

// enrichMemory is the memory beyond which garbage is collected more often; mapped packs are not part of it.
const enrichMemory = 550 << 20

// Command is quartier enrich, of a version of the program.
func Command(version string) *cli.Command {
	var groups strings.Builder
	for _, g := range enrich.Groups() {
		fmt.Fprintf(&groups, "\n  %-12s  %s", g[0], g[1])
	}
	return &cli.Command{
		Name: "enrich",
		Usage: "add columns of a release to the rows of a file with points, addresses or shapes: CSV, .xlsx, Parquet, GeoParquet, GeoJSON, " +
			"GeoPackage",
		Description: "Every row and column of the file stays as it is, in its order; the columns that are added follow, with the values that " +
			"the\n" +
			"API answers for the point, then " + enrich.StatusName +
			". What is not known is NULL, in CSV nothing. Progress is on standard error.\n" +
			"An interrupted run continues with --resume. Groups of columns:" + groups.String(),
		Flags: slices.Concat(enrichFiles(), enrichPoints(), enrichAddresses(), enrichChoices(), agreed.Flags("answer as the API answers"),
			enrichRuns()),
		Action: func(c *cli.Context) error {
			if c.Args().Present() {
				return fmt.Errorf("%w: unexpected argument %q", ErrUsage, c.Args().First())
			}
			return enrichFile(c, version)
		},
	}
}

func enrichFiles() []cli.Flag {
	return []cli.Flag{
		&cli.PathFlag{Name: "release", Usage: "release folder `DIR`, or a folder of releases", Required: true},
		&cli.PathFlag{Name: "in", Usage: "`FILE` to read, .csv, .xlsx, .parquet, .geoparquet, .geojson or .gpkg; '-' is CSV on standard input"},
		&cli.PathFlag{Name: "out", Usage: "`FILE` to write; '-' is standard output, as CSV unless --format says otherwise"},
		&cli.StringFlag{Name: "in-format", Usage: "csv, xlsx, parquet, geoparquet, geojson or gpkg (default: by the extension)"},
		&cli.StringFlag{Name: "format", Usage: "of the output: csv, parquet, geoparquet, geojson or gpkg (default: by the extension)"},
		&cli.StringFlag{Name: "layer", Aliases: []string{"sheet"}, Usage: "`NAME` of the layer of a GeoPackage, or of the sheet of a workbook " +
			"(default: the only layer, the first sheet)"},
		&cli.StringFlag{Name: "encoding", Usage: "of CSV: utf-8, utf-16, cp1252 or latin-1 (default: UTF-8, or UTF-16 if it is that)"},
		&cli.StringFlag{Name: "decimal", Usage: "`MARK` of coordinates in text, '.' or ',' (default: either, of degrees)"},
	}
}

func enrichPoints() []cli.Flag {
	return []cli.Flag{
		&cli.IntFlag{Name: "h3", Usage: "in place of --in: the cells of H3 of this `RESOLUTION` in which the release has residents or streets"},
		&cli.IntFlag{Name: "geohash-cells", Usage: "in place of --in: such geohashes of `N` characters"},
		&cli.StringFlag{Name: "lat", Usage: "`COLUMN` of latitudes (default: guessed, and printed)"},
		&cli.StringFlag{Name: "lng", Usage: "`COLUMN` of longitudes"},
		&cli.StringFlag{Name: "geometry", Usage: "`COLUMN` of points in WKB or WKT"},
		&cli.StringFlag{Name: "geohash", Usage: "`COLUMN` of geohashes, whose centres are taken"},
		&cli.StringFlag{Name: "polygons", Usage: "`COLUMN` of polygons in WKB or WKT: rows are shapes in place of points, and have " +
			strings.Join(enrich.GroupsOf(true), ", ")},
		&cli.StringFlag{Name: "crs", Usage: "reference system of the coordinates, such as EPSG:3857 (default: that of the file, else " +
			"EPSG:4326)"},
	}
}

func enrichAddresses() []cli.Flag {
	levels := addresses.LevelNames[:addresses.None]
	return []cli.Flag{
		&cli.StringFlag{Name: "address", Usage: "`COLUMN` of addresses in one line: rows are addresses in place of points"},
		&cli.StringFlag{Name: "address-level", Value: levels[addresses.InRange],
			Usage: "the least that is given: " + strings.Join(levels, ", ")},
		&cli.StringFlag{Name: "house-number", Usage: "`COLUMN` of numbers, where addresses are in several columns"},
		&cli.StringFlag{Name: "street", Usage: "`COLUMN` of streets, with the number or without"},
		&cli.StringFlag{Name: "unit", Usage: "`COLUMN` of apartments and suites"},
		&cli.StringFlag{Name: "city", Usage: "`COLUMN` of towns, beside the others or --address"},
		&cli.StringFlag{Name: "state", Usage: "`COLUMN` of provinces and states, likewise"},
		&cli.StringFlag{Name: "postal-code", Usage: "`COLUMN` of postal and ZIP codes, likewise"},
	}
}

func enrichChoices() []cli.Flag {
	return []cli.Flag{
		&cli.StringSliceFlag{Name: "add", Usage: "groups of columns (default: " + strings.Join(enrich.DefaultGroups, ",") + ", of shapes " +
			strings.Join(enrich.DefaultShapeGroups, ",") + ")"},
		&cli.StringSliceFlag{Name: "scores", Usage: "only these scores"},
		&cli.StringSliceFlag{Name: "levels", Usage: "only these levels of geographies: 10,30,32"},
		&cli.StringSliceFlag{Name: "categories", Usage: "only these categories of points of interest"},
		&cli.StringSliceFlag{Name: "radius",
			Usage: "of counts and demographics: 500m,5km, or of one of them: pois:2km (default: as the API, " +
				"pois:5km,demographics:500m,schools:5km)"},
		&cli.StringSliceFlag{Name: "nearest", Usage: "names and distances of the nearest: groceries:3"},
		&cli.StringSliceFlag{Name: "market", Usage: "intervals and types: 30d:single_family (default: " + enrich.DefaultMarket + ")"},
		&cli.StringFlag{Name: "language", Usage: "of names: en or fr"},
		&cli.PathFlag{Name: "profile",
			Usage: "YAML `FILE` with these choices: add, scores, levels, categories, radius, nearest, market, language"},
		&cli.BoolFlag{Name: "columns", Usage: "print the columns that would be added, and end"},
	}
}

func enrichRuns() []cli.Flag {
	return []cli.Flag{
		&cli.BoolFlag{Name: "plan", Usage: "print the plan, and end"},
		&cli.BoolFlag{Name: "resume", Usage: "continue an interrupted run of the same input and options"},
		&cli.BoolFlag{Name: "force", Usage: "replace the output"},
		&cli.BoolFlag{Name: "overwrite-columns", Usage: "leave out columns of the input that have the names of added ones"},
		&cli.Int64Flag{Name: "limit", Usage: "only the first `N` rows"},
		&cli.Float64Flag{Name: "sample", Usage: "only a `SHARE` of the rows, such as 0.01, the same ones in every run"},
		&cli.IntFlag{Name: "jobs", Usage: "blocks of rows that are worked on at once (default: one for each processor)"},
		&cli.Float64Flag{Name: "max-bad", Usage: "`SHARE` of rows without usable coordinates that is accepted", Value: 0.05},
	}
}

// enrichFile is the command.
func enrichFile(c *cli.Context, version string) error {
	choice, err := choiceOf(c)
	if err != nil {
		return err
	}
	client, err := clientOf(c)
	if err != nil {
		return err
	}
	from, err := release.Open(c.Path("release"))
	if err != nil {
		return err
	}
	defer from.Done()
	e, err := enrich.New(from, choice, client)
	if err != nil {
		return err
	}
	if c.Bool("columns") {
		return printColumns(c.App.Writer, e.Columns())
	}
	o, err := optionsOf(c)
	if err != nil {
		return err
	}
	o.Version = version
	debug.SetMemoryLimit(enrichMemory)
	s, err := Run(c.Context, e, o)
	if s.Rows > 0 {
		if werr := s.Write(o.Screen); err == nil {
			err = werr
		}
	}
	return err
}

// clientOf is who the values are for: the operator, or a customer with its agreement.
func clientOf(c *cli.Context) (enrich.Client, error) {
	agreement, err := agreed.FromFlags(c)
	if errors.Is(err, agreed.ErrUsage) {
		return enrich.Client{}, fmt.Errorf("%w: %w", ErrUsage, err)
	}
	if err != nil || agreement == nil {
		return enrich.Client{}, err
	}
	client := enrich.Client{Customer: c.String("customer"), Products: agreement.Products, Scores: agreement.Scores}
	if !agreement.Unrestricted() {
		client.Regions = agreement.Regions
	}
	return client, nil
}

// choiceOf is the choice of columns: the profile, and instead of its parts what flags say.
func choiceOf(c *cli.Context) (choice enrich.Choice, err error) {
	if path := c.Path("profile"); path != "" {
		data, err := os.ReadFile(path)
		if err == nil {
			choice, err = enrich.ReadChoice(data)
		}
		if err != nil {
			return choice, fmt.Errorf("%s: %w", path, err)
		}
	}
	for name, into := range map[string]*[]string{
		"add": &choice.Add, "scores": &choice.Scores, "levels": &choice.Levels, "categories": &choice.Categories,
		"radius": &choice.Radius, "nearest": &choice.Nearest, "market": &choice.Market,
	} {
		if c.IsSet(name) {
			*into = nil
			for _, item := range strings.Split(strings.Join(c.StringSlice(name), ","), ",") {
				*into = append(*into, strings.TrimSpace(item))
			}
		}
	}
	choice.Shapes = c.String("polygons") != ""
	if of := addressOptions(c); of.hasAddresses() {
		choice.AddressLevel = c.String("address-level")
	}
	if c.IsSet("language") {
		choice.Language = c.String("language")
	}
	return choice, nil
}

// addressOptions are the options of the columns of addresses.
func addressOptions(c *cli.Context) Options {
	return Options{Address: c.String("address"), HouseNumber: c.String("house-number"), Street: c.String("street"), Unit: c.String("unit"),
		City: c.String("city"), State: c.String("state"), PostalCode: c.String("postal-code"), AddressLevel: c.String("address-level")}
}

// optionsOf are the options of a run.
func optionsOf(c *cli.Context) (o Options, err error) {
	o = addressOptions(c)
	o.In, o.InFormat = c.Path("in"), arrowfile.Format(c.String("in-format"))
	o.Out, o.OutFormat = c.Path("out"), arrowfile.Format(c.String("format"))
	o.Lat, o.Lng, o.Geometry, o.Geohash = c.String("lat"), c.String("lng"), c.String("geometry"), c.String("geohash")
	o.Polygons, o.CRS, o.Layer, o.Encoding, o.Decimal = c.String("polygons"), c.String("crs"), c.String("layer"), c.String("encoding"), c.String("decimal")
	o.Limit, o.Sample, o.Jobs, o.MaxBad = c.Int64("limit"), c.Float64("sample"), c.Int("jobs"), c.Float64("max-bad")
	o.Overwrite, o.Resume, o.Force, o.PlanOnly = c.Bool("overwrite-columns"), c.Bool("resume"), c.Bool("force"), c.Bool("plan")
	o.Stdin, o.Stdout, o.Screen = os.Stdin, c.App.Writer, c.App.ErrWriter
	if c.IsSet("h3") {
		resolution := c.Int("h3")
		o.H3 = &resolution
	}
	o.GeohashCells = c.Int("geohash-cells")
	switch {
	case o.In == "" && o.gridName() == "" || o.Out == "":
		err = errors.New("give --in, --h3 or --geohash-cells, and --out; or --columns")
	case o.InFormat != "" && !slices.Contains(inFormats, o.InFormat) || o.OutFormat != "" && !slices.Contains(outFormats, o.OutFormat):
		err = errors.New("a format is csv, parquet, geoparquet, geojson or gpkg, and of --in also xlsx")
	case o.Encoding != "" && !slices.Contains(arrowfile.Encodings, o.Encoding):
		err = fmt.Errorf("--encoding is one of %s", strings.Join(arrowfile.Encodings, ", "))
	case !slices.Contains([]string{"", ".", ","}, o.Decimal):
		err = errors.New("--decimal is '.' or ','")
	case o.Limit < 0 || o.Jobs < 0 || o.GeohashCells < 0:
		err = errors.New("--limit, --jobs and --geohash-cells are not negative")
	case !(o.Sample >= 0 && o.Sample <= 1 && o.MaxBad >= 0 && o.MaxBad <= 1):
		err = errors.New("--sample and --max-bad are shares, from 0 to 1")
	}
	if err != nil {
		err = fmt.Errorf("%w: %w", ErrUsage, err)
	}
	return o, err
}
