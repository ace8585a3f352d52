// Package region is the command that writes region files and says what they give.
package region

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"quartier/ingest"
	"quartier/ingest/fetch"
	"quartier/ingest/publishers/place"
	"quartier/ingest/regionfile"
	"quartier/internal/wholefile"
)

// ErrUsage is the error of wrong arguments or flags.
var ErrUsage = errors.New("usage")

// usage is an error of wrong arguments or flags.
func usage(err error) error { return wrong{err} }

type wrong struct{ error }

func (w wrong) Unwrap() []error { return []error{ErrUsage, w.error} }

// Program is what the command takes from the program that it is a part of.
type Program struct {
	Agent     string                                         // by which publishers' servers know the program
	PathFlags func() []cli.Flag                              // flags that locate the files of region files
	Variables func(c *cli.Context) (ingest.Variables, error) // of these flags
}

// Command is quartier region.
func Command(p Program) *cli.Command {
	return &cli.Command{
		Name:  "region",
		Usage: "write region files for places, and say what region files give and lack",
		Subcommands: []*cli.Command{
			p.newCommand(), p.checkCommand(), p.bumpCommand(), draftCommand(),
		},
		Action: func(c *cli.Context) error {
			if c.Args().Present() {
				return usage(fmt.Errorf("unknown command %q of region", c.Args().First()))
			}
			return cli.ShowSubcommandHelp(c)
		},
	}
}

// Arguments puts the flags of commands before what they follow, so that a place, file, folder or ID of a step may come first:
// "region new us-or --out us-or.yaml".
func Arguments(args []string) []string {
	first := 3
	if len(args) > 1 && slices.Contains([]string{"place", "push", "pull"}, args[1]) {
		first = 2
	}
	if len(args) <= first || first == 3 && !slices.Contains([]string{"region", "step"}, args[1]) {
		return args
	}
	// flags without a value
	alone := []string{"offline", "write", "serve", "ignore-disk", "ignore-memory", "json", "replace", "publish", "help", "h"}
	var flags, others []string
	for rest := args[first:]; len(rest) > 0; rest = rest[1:] {
		name := strings.TrimLeft(rest[0], "-")
		switch {
		case rest[0] == "--":
			return append(append(slices.Clone(args[:first]), flags...), append(others, rest...)...)
		case name == rest[0] || name == "":
			others = append(others, rest[0])
		case strings.Contains(name, "=") || slices.Contains(alone, name) || len(rest) == 1:
			flags = append(flags, rest[0])
		default:
			flags = append(flags, rest[0], rest[1])
			rest = rest[1:]
		}
	}
	return append(append(slices.Clone(args[:first]), flags...), others...)
}

// askFlags say how publishers are asked.
func askFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "mirror", Usage: "ask `URL|DIR`/HOST/PATH in place of https://HOST/PATH", EnvVars: []string{"QUARTIER_MIRROR"}},
		&cli.StringFlag{Name: "cache", Usage: "`DIR` in which publishers' lists are kept", Value: ".cache/quartier",
			EnvVars: []string{"QUARTIER_CACHE"}},
		&cli.BoolFlag{Name: "offline", Usage: "ask nobody; take publishers' lists from the cache"},
	}
}

// asker asks publishers as the flags say.
func (p Program) asker(c *cli.Context) (look regionfile.Look, err error) {
	peek, err := fetch.NewPeek(fetch.Options{Agent: p.Agent, Cache: c.String("cache"), Mirror: c.String("mirror"), Offline: c.Bool("offline")})
	if err != nil {
		return look, usage(err)
	}
	return regionfile.Look{Get: peek.Get, Has: peek.Has}, nil
}

// PlaceFlags say which place, and of which day what publishers change every day is.
func PlaceFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "box", Usage: "the place is the box `W,S,E,N` in degrees"},
		&cli.StringFlag{Name: "as-of", Usage: "as-of `DATE` of what publishers change every day (default: today)"},
	}
}

// Make asks publishers what they have of a place, as askFlags and PlaceFlags say.
func (p Program) Make(c *cli.Context, where *place.Place) (*regionfile.Recipe, error) {
	day, err := dayOf(c)
	if err != nil {
		return nil, err
	}
	if day == "" {
		day = time.Now().UTC().Format(time.DateOnly)
	}
	look, err := p.asker(c)
	if err != nil {
		return nil, err
	}
	return regionfile.New(c.Context, where, day, look)
}

// dayOf is the date of --as-of; "" if there is none.
func dayOf(c *cli.Context) (string, error) {
	day := c.String("as-of")
	if _, err := time.Parse(time.DateOnly, day); day != "" && err != nil {
		return "", usage(fmt.Errorf("--as-of %q is not a date like 2024-05-31", day))
	}
	return day, nil
}

func (p Program) newCommand() *cli.Command {
	return &cli.Command{
		Name:      "new",
		Usage:     "write a region file with all that public sources have of a place, and say before any download what it will give and lack",
		ArgsUsage: `us-or | ca-on | "Columbus, Ohio"`,
		Description: "The place is a state or province by its code or name, or a city of 15,000 people or more with its state. The file is\n" +
			"printed, or written to --out with what it gives printed. A publisher that does not answer is a comment in the file and no\n" +
			"failure.",
		Flags: append(append(askFlags(), PlaceFlags()...),
			&cli.StringFlag{Name: "out", Usage: "region `FILE` to write, which must not exist"}),
		Action: func(c *cli.Context) error {
			where, err := PlaceOf(c)
			if err != nil {
				return err
			}
			made, err := p.Make(c, where)
			if err != nil {
				return err
			}
			command := "quartier region new " + Text(c)
			out := c.String("out")
			if out == "" {
				return made.Write(c.App.Writer, command)
			}
			if err := WriteNew(out, func(w io.Writer) error { return made.Write(w, command) }); err != nil {
				return err
			}
			if err := regionfile.WriteReport(c.App.Writer, made.Items(), made.Gaps); err != nil {
				return err
			}
			_, err = fmt.Fprintf(c.App.Writer, "\n%[1]s is written. Next:\n  quartier fetch --region %[1]s --pin\n"+
				"  quartier build --region %[1]s --out out/%[2]s\n", out, where.Name)
			return err
		},
	}
}

// PlaceOf is the place that the arguments name.
func PlaceOf(c *cli.Context) (p *place.Place, err error) {
	switch {
	case c.IsSet("box") == c.Args().Present() || c.NArg() > 1:
		return nil, usage(errors.New(`give one place, such as us-or, ca-on or "Columbus, Ohio" (in quotes), or --box w,s,e,n`))
	case c.IsSet("box"):
		box, err := place.ParseBox(c.String("box"))
		if err == nil {
			p, err = place.OfBox(box)
		}
		if err != nil {
			return nil, usage(err)
		}
		return p, nil
	}
	if p, err = place.Of(c.Args().First()); err != nil {
		return nil, usage(err)
	}
	return p, nil
}

// Text is the place as the command line has it.
func Text(c *cli.Context) string {
	if c.IsSet("box") {
		return "--box=" + c.String("box")
	}
	return quoted(c.Args().First())
}

func quoted(text string) string {
	if strings.ContainsAny(text, " ,'") {
		return fmt.Sprintf("%q", text)
	}
	return text
}

// WriteNew writes a file that does not exist, whole or not at all.
func WriteNew(name string, write func(io.Writer) error) error {
	if _, err := os.Lstat(name); err == nil {
		return usage(fmt.Errorf("%s exists; remove it, or give another --out", name))
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	file, err := os.CreateTemp(filepath.Dir(name), ".region-*")
	if err != nil {
		return err
	}
	defer os.Remove(file.Name())
	err = errors.Join(write(file), file.Chmod(0o644), file.Close())
	if err == nil {
		err = os.Link(file.Name(), name)
	}
	return err
}

func (p Program) checkCommand() *cli.Command {
	return &cli.Command{
		Name:      "check",
		Usage:     "say what each source of a region file gives, what scores and parts of the API are made of, and what lacks and why",
		ArgsUsage: "FILE",
		Flags:     p.PathFlags(),
		Action: func(c *cli.Context) error {
			region, faults := p.read(c)
			if region == nil {
				return faults
			}
			if err := regionfile.WriteReport(c.App.Writer, regionfile.ItemsOf(region), nil); err != nil {
				return err
			}
			return unpinned(c.App.Writer, faults)
		},
	}
}

// read reads the region file that is the only argument; nil with an error if it cannot be read at all.
func (p Program) read(c *cli.Context) (*ingest.Region, error) {
	if c.NArg() != 1 {
		return nil, usage(errors.New("give one region file"))
	}
	vars, err := p.Variables(c)
	if err != nil {
		return nil, err
	}
	return ingest.ReadRegion(c.Args().First(), vars, c.String("cache"))
}

// unpinned prints how many sources nobody has fetched yet, and returns the other faults of a region file.
func unpinned(w io.Writer, err error) error {
	var faults, rest ingest.Faults
	errors.As(err, &faults)
	for _, f := range faults {
		if !errors.Is(f.Err, ingest.ErrUnpinned) {
			rest = append(rest, f)
		}
	}
	if n := len(faults) - len(rest); n > 0 {
		fmt.Fprintf(w, "\n%d sources are not pinned yet: fetch them with quartier fetch --region FILE --pin.\n", n)
	}
	return rest.Err()
}

func (p Program) bumpCommand() *cli.Command {
	return &cli.Command{
		Name:      "bump",
		Usage:     "find newer vintages of the sources of a region file, and say what changes",
		ArgsUsage: "FILE",
		Description: "The publishers are asked for the next years. What changes is printed; --write changes the file, with its comments as\n" +
			"they are, and without the sha256 and the lock of what changes, so that the next quartier fetch --pin pins it.",
		Flags: append(append(askFlags(), p.PathFlags()[:2]...),
			&cli.StringFlag{Name: "as-of", Usage: "take what publishers change every day too, as of `DATE`"},
			&cli.BoolFlag{Name: "write", Usage: "change the file"}),
		Action: func(c *cli.Context) error {
			day, err := dayOf(c)
			if err != nil {
				return err
			}
			region, faults := p.read(c)
			if region == nil {
				return faults
			}
			look, err := p.asker(c)
			if err != nil {
				return err
			}
			changes, notes, err := regionfile.Bump(c.Context, region, day, look)
			if err != nil {
				return err
			}
			return reportBump(c, region.File, changes, notes)
		},
	}
}

// reportBump prints what changes, and changes the file if that is asked for.
func reportBump(c *cli.Context, file string, changes []regionfile.Change, notes []string) error {
	w := c.App.Writer
	for _, n := range notes {
		fmt.Fprintln(w, n)
	}
	if len(changes) == 0 {
		_, err := fmt.Fprintln(w, "No newer vintage was found.")
		return err
	}
	for _, change := range changes {
		fmt.Fprintf(w, "%s: %s becomes %s\n", change.Source, change.From, change.To)
	}
	before, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	after, err := regionfile.Edit(before, changes)
	if err != nil {
		return err
	}
	if !c.Bool("write") {
		_, err = fmt.Fprintf(w, "\n%s\nNothing is changed: give --write to change %s.\n", regionfile.Diff(before, after), file)
		return err
	}
	var changed []string
	for _, change := range changes {
		changed = append(changed, change.Source)
	}
	if err := errors.Join(wholefile.Replace(file, after, 0o644), ingest.Unpin(file, changed...)); err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "%s is changed. Next: quartier fetch --region %s --pin\n", file, file)
	return err
}
