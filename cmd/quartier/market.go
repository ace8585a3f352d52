package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"text/tabwriter"

	"github.com/urfave/cli/v2"

	build "quartier/build/market"
	"quartier/cmd/quartier/summary"
	"quartier/ingest"
	"quartier/ingest/listings"
	"quartier/internal/duck"
	"quartier/internal/lockfile"
	"quartier/internal/pack"
	"quartier/internal/pack/geographies"
	"quartier/schemas"
	days "quartier/schemas/market"
	"quartier/transform/market"
)

// errNoPlaces is returned where --release is no release that statistics can stand beside.
var errNoPlaces = errors.New("not a release of places")

func marketCommand() *cli.Command {
	return &cli.Command{
		Name:  "market",
		Usage: "compute the market statistics of a day from listings and sales, as a component beside a release",
		Description: "Takes what is new of the listings into WORK, finds the geographies of each in the release, and writes market.pack,\n" +
			"market.sqlite and market.parquet of the intervals that move, files of the closed months and quarters of each year, and a\n" +
			"manifest to OUT. They depend on listings, release and date alone, not on what WORK held.\n" +
			"A source of which more than a fifth of the rows is gone since the run before ends with exit code 6; --accept goes on.\n" +
			"OUT is replaced when all of it is written; a run that fails leaves it as it was. Publish it with quartier publish.",
		Flags: append(pathFlags(),
			&cli.StringFlag{Name: "release", Usage: "release folder `DIR`, the folder of its custom geographies, or a folder of releases with " +
				schemas.PointerFile, Required: true},
			&cli.StringFlag{Name: "listings", Usage: "listings file (YAML), data file or folder of data files: `PATH`", Required: true},
			&cli.StringFlag{Name: "work", Usage: "`DIR` of the listings taken in, kept from day to day", Required: true},
			&cli.StringFlag{Name: "as-of",
				Usage: "`DATE` of the statistics, which have the days before it (default: the newest date of the listings)"},
			&cli.StringFlag{Name: "out", Usage: "`DIR` of the component to write", Required: true},
			acceptFlag(),
			logFlag(),
		),
		Action: func(c *cli.Context) error {
			log, err := logger(c)
			if err != nil {
				return err
			}
			run, err := marketRunOf(c)
			if err != nil {
				return err
			}
			run.log = log
			m, err := run.do(c.Context)
			if err != nil {
				return err
			}
			return printMarket(c.App.Writer, m, run.out)
		},
	}
}

// Of 20 million listings the statistics need about 6 GB; garbage is collected more often before it is more than that.
const (
	databaseMemory = "1GB"
	goMemory       = 6 << 30
)

// marketRun is a run of quartier market.
type marketRun struct {
	release, work, out string
	asOf               days.Day // NoDay: the newest date of the listings
	listings           *ingest.Region
	accepted           []schemas.Acceptance
	log                *slog.Logger
}

func marketRunOf(c *cli.Context) (*marketRun, error) {
	if c.Args().Present() {
		return nil, usageError{fmt.Errorf("unexpected argument %q", c.Args().First())}
	}
	run := &marketRun{work: c.String("work"), out: filepath.Clean(c.String("out")), asOf: days.NoDay}
	var err error
	if given := c.String("as-of"); given != "" {
		if run.asOf, err = days.ParseDay(given); err != nil {
			return nil, usageError{fmt.Errorf("--as-of %w", err)}
		}
	}
	if run.accepted, err = acceptances(c); err != nil {
		return nil, err
	}
	if run.release, err = placesOf(c.String("release")); err != nil {
		return nil, err
	}
	vars, err := variables(c)
	if err != nil {
		return nil, err
	}
	run.listings, err = ingest.ReadListings(c.String("listings"), vars, c.String("cache"))
	return run, err
}

// publishedPlaces is the folder of the places of a release folder, or of what is published in a folder of releases: what every
// command that reads one release takes.
func publishedPlaces(dir string) (string, error) { return schemas.ComponentFolder(dir, schemas.Places) }

// placesOf is the folder of the places of a release, or dir itself if it has custom geographies.
func placesOf(dir string) (string, error) {
	folder, err := publishedPlaces(dir)
	if err == nil {
		_, _, err = build.Beside(folder)
	}
	if err != nil {
		return "", fmt.Errorf("--release %s: %w: %w", dir, errNoPlaces, err)
	}
	return folder, nil
}

// do takes the listings in and writes the component.
func (r *marketRun) do(ctx context.Context) (*schemas.MarketManifest, error) {
	if err := os.MkdirAll(r.work, 0o755); err != nil {
		return nil, err
	}
	lock, err := lockfile.Acquire(r.work, "market")
	if err != nil {
		return nil, err
	}
	defer lock.Release()
	if _, err := ingest.TakeListings(ctx, r.listings, r.work, r.accepted, r.log); err != nil {
		return nil, err
	}
	db, err := duck.Open(filepath.Join(r.work, listings.File))
	if err != nil {
		return nil, err
	}
	defer db.Close()
	if _, err := db.ExecContext(ctx, "SET memory_limit='"+databaseMemory+"'"); err != nil {
		return nil, err
	}
	debug.SetMemoryLimit(goMemory)
	if r.asOf == days.NoDay {
		if r.asOf, err = build.Newest(ctx, db); err != nil {
			return nil, err
		}
	}
	return r.write(ctx, db)
}

func (r *marketRun) write(ctx context.Context, db *duck.DB) (*schemas.MarketManifest, error) {
	paths := map[string]string{}
	for _, s := range r.listings.Sources {
		paths[s.ID] = s.Path
	}
	sources, issues, err := build.Sources(ctx, db, r.listings.Sources[0].Kind, paths)
	if err != nil {
		return nil, err
	}
	name, digest, err := build.Beside(r.release)
	if err != nil {
		return nil, err
	}
	file, err := pack.Open(filepath.Join(r.release, schemas.GeographiesPack))
	if err != nil {
		return nil, err
	}
	defer file.Close()
	places, err := geographies.Open(file)
	if err != nil {
		return nil, err
	}
	work := filepath.Join(r.work, name) // of each component by itself: both may stand on the same listings
	in := market.Input{
		Listings: db, Places: places, Digest: digest, AsOf: r.asOf, Work: work,
		Progress: func(step string) { r.log.Info("computing", "step", step, "as_of", r.asOf.String()) },
	}
	return build.Write(ctx, build.Options{
		Out: r.out, Places: r.release, Day: r.asOf, ToolVersion: version(), Sources: sources, Issues: issues, Work: work,
		Compute: func(ctx context.Context, earlier days.Day, emit func(days.Statistics) error) (build.Summary, error) {
			in.Earlier = earlier
			s, err := market.Compute(ctx, in, emit)
			if err == nil {
				r.log.Info("computed", "listings", s.Listings, "located", s.Located, "changed", s.Changed, "full", s.Full)
			}
			return summaryOf(s), err
		},
	})
}

func summaryOf(s market.Summary) build.Summary {
	out := build.Summary{Listings: s.Located, States: s.States}
	for _, issue := range s.Issues {
		out.Issues = append(out.Issues, build.Issue(issue.Reason, issue.Rows))
	}
	return out
}

// printMarket prints a summary of a component market.
func printMarket(w io.Writer, m *schemas.MarketManifest, dir string) error {
	places := schemas.Manifest{Sources: m.Sources}
	summary.Sources(w, &places)
	if len(m.Steps) > 0 {
		fmt.Fprintf(w, "\nlistings that count nowhere, or not everywhere\n")
		for _, issue := range m.Steps {
			fmt.Fprintf(w, "  %s\n", summary.Issue(issue.ReleaseIssue))
		}
	}
	fmt.Fprintf(w, "\nMarket statistics as of %s, digest %s\n", m.AsOf, m.Digest)
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(table, "  listings\t%s\tin %s\n", thousands(m.Counts.Listings), strings.Join(m.States, ", "))
	fmt.Fprintf(table, "  statistics\t%s\tof %s geographies, by type and interval\n", thousands(m.Counts.Cells),
		thousands(m.Counts.Geographies))
	for _, file := range m.Files {
		fmt.Fprintf(table, "  %s\t%s\t%s\n", file.Name, summary.Bytes(file.Bytes), file.SHA256)
	}
	table.Flush()
	for _, note := range m.Notes {
		fmt.Fprintf(w, "  note: %s\n", note)
	}
	_, err := fmt.Fprintf(w, "  beside the release %s\n  folder: %s\n", m.Places, filepath.Clean(dir))
	return err
}
