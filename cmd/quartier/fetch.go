package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"quartier/cmd/quartier/fetching"
	"quartier/ingest"
	"quartier/ingest/fetch"
)

func fetchCommand() *cli.Command {
	return &cli.Command{
		Name: "fetch",
		Usage: "download the sources that have a url in the region files, verify their sha256 and resume interrupted downloads; of Web APIs, " +
			"what changed since the last time",
		Description: "A file is kept only if it is what its name says and has the sha256 of its source, or of the lock beside the region\n" +
			"file, which --pin writes at a first fetch. What a publisher does not give to programs, a person puts into the drop folder under the\n" +
			"publisher's name; the other sources go on. docs/fetching.md has more.",
		Flags: append(append(regionFlags(), fetchFlags()...),
			&cli.BoolFlag{Name: "pin", Usage: "of a url without sha256, write what the file is into FILE.lock beside the region file"},
			logFlag()),
		Action: func(c *cli.Context) error {
			release, err := fetchSelection(c)
			if err != nil {
				return err
			}
			return fetchRegions(c, release.regions, c.Bool("pin"))
		},
	}
}

// fetchFlags say where files are taken from.
func fetchFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "drop", Usage: "`DIR` in which a person puts what a publisher does not give to programs (default: CACHE/drop)"},
		&cli.StringFlag{Name: "mirror", Usage: "take https://HOST/PATH from `URL|DIR`/HOST/PATH, for all hosts",
			EnvVars: []string{"QUARTIER_MIRROR"}},
		&cli.BoolFlag{Name: "offline", Usage: "take files only from the cache, the drop folder, and a --mirror that is a folder"},
		&cli.StringFlag{Name: "contact", Usage: "page or mail `ADDRESS` that publishers' servers get beside the program's name and version",
			EnvVars: []string{"QUARTIER_CONTACT"}},
	}
}

// fetchSelection is selection, in which sources may lack a sha256 if they are pinned.
func fetchSelection(c *cli.Context) (selected, error) {
	release, err := selection(c)
	var faults ingest.Faults
	if c.Bool("pin") && errors.As(err, &faults) {
		err = beyondPins(faults)
	}
	return release, err
}

// beyondPins are the faults of region files but for those of sources that are pinned when they are fetched.
func beyondPins(faults ingest.Faults) error {
	return slices.DeleteFunc(faults, func(f ingest.Fault) bool { return errors.Is(f.Err, ingest.ErrUnpinned) }).Err()
}

// fetchMemory is the memory beyond which garbage is collected more often.
const fetchMemory = 40 << 20

// fetchRegions gets the files of regions and prints the table of what became of them.
func fetchRegions(c *cli.Context, regions []*ingest.Region, pin bool) error {
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(fetchMemory))
	for _, region := range regions {
		for _, s := range region.Sources {
			if s.IsQuery() && s.TokenEnv != "" && os.Getenv(s.TokenEnv) == "" {
				return usageError{fmt.Errorf("source %s: the environment variable %s, which has its token, is not set", s.ID, s.TokenEnv)}
			}
		}
	}
	run, err := fetchRun(c)
	if err != nil {
		return err
	}
	defer run.Session.Close()
	run.Regions, run.Pin = regions, pin
	results, err := run.Do(c.Context)
	if errors.Is(err, context.Canceled) {
		return err
	}
	return errors.Join(err, fetching.Table(c.App.Writer, results))
}

// fetchRun is a run as the flags say, without regions.
func fetchRun(c *cli.Context) (*fetching.Run, error) {
	run := &fetching.Run{Token: os.Getenv}
	waiting := func(d time.Duration, why error) { run.Log.Info("waiting", "for", d, "because", why.Error()) }
	session, err := fetch.Open(fetch.Options{
		Agent: agent(c.String("contact")), Cache: c.String("cache"), Drop: dropOf(c), Mirror: c.String("mirror"), Offline: c.Bool("offline"),
		Waiting: waiting,
	})
	if err != nil {
		return nil, usageError{err}
	}
	run.Session = session
	if screen, ok := c.App.ErrWriter.(*os.File); ok && c.String("log") == "text" && isTerminal(screen) {
		run.Screen = &fetching.Screen{W: screen}
		c.App.ErrWriter = run.Screen
		defer func() { c.App.ErrWriter = screen }()
	}
	run.Log, err = logger(c)
	return run, err
}

func isTerminal(file *os.File) bool {
	info, err := file.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// agent is the name by which publishers' servers know the program: its name, its version, and whom to ask.
func agent(contact string) string {
	plain := strings.Map(func(r rune) rune {
		if r <= ' ' || r >= 0x7f || strings.ContainsRune("();\"", r) {
			return -1
		}
		return r
	}, contact)
	name := "quartier/" + strings.Trim(version(), "()")
	if plain != "" {
		name += fmt.Sprintf(" (+%s)", plain)
	}
	return name
}

// dropOf is the drop folder.
func dropOf(c *cli.Context) string {
	drop := cmp.Or(c.String("drop"), filepath.Join(c.String("cache"), "drop"))
	if absolute, err := filepath.Abs(drop); err == nil {
		return absolute
	}
	return drop
}
