package main

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"quartier/build/prosestats"
	"quartier/build/released"
	"quartier/cmd/quartier/summary"
	"quartier/schemas"
	"quartier/schemas/profile"
)

func profileCommand() *cli.Command {
	return &cli.Command{
		Name:  "profile",
		Usage: "print the texts about a geography and what they are made of, texts drawn at random, or figures about all texts",
		Description: "With --why every sentence with its pattern, the facts that it states and the rows that they were made from. With " +
			"--sample\n" +
			"the texts of that many geographies, drawn at random. With --figures, as Markdown: how many geographies have a text, how\n" +
			"much the texts of neighbours have in common, how long they are and how easy to read.",
		ArgsUsage: "[GEOG_ID]",
		Flags: []cli.Flag{
			&cli.PathFlag{Name: "release", Usage: "release folder `DIR`, or a folder of releases with " + schemas.PointerFile},
			&cli.StringFlag{Name: "locale", Usage: "language of the texts, 'en' or 'fr', which is there in Canada", Value: "en"},
			&cli.BoolFlag{Name: "why", Usage: "with a GEOG_ID: print patterns, facts and source rows"},
			&cli.IntFlag{Name: "sample", Usage: "print the texts of `N` geographies"},
			&cli.Uint64Flag{Name: "seed", Usage: "which geographies are drawn: another `NUMBER` for others", Value: 1},
			&cli.BoolFlag{Name: "figures", Usage: "print figures about all texts"},
		},
		Action: func(c *cli.Context) error {
			id, err := idAndFlags(c)
			if err == nil {
				err = checkProfileFlags(c, id)
			}
			if err != nil {
				return usageError{err}
			}
			dir, err := publishedPlaces(c.Path("release"))
			if err != nil {
				return err
			}
			if c.Bool("figures") {
				f, err := prosestats.Read(c.Context, dir)
				if err != nil {
					return err
				}
				return summary.Prose(c.App.Writer, f)
			}
			return printProfiles(c, dir, id)
		},
	}
}

// idAndFlags returns the argument before the flags, if any, and sets the flags after it: the library stops at the first
// argument.
func idAndFlags(c *cli.Context) (id string, err error) {
	if id = c.Args().First(); c.NArg() < 2 {
		return id, nil
	}
	set := flag.NewFlagSet(c.Command.Name, flag.ContinueOnError)
	set.SetOutput(io.Discard)
	for _, f := range c.Command.Flags {
		if err := f.Apply(set); err != nil {
			return "", err
		}
	}
	if err := set.Parse(c.Args().Tail()); err != nil {
		return "", err
	}
	if set.NArg() > 0 {
		return "", fmt.Errorf("unexpected argument %q", set.Arg(0))
	}
	set.Visit(func(f *flag.Flag) { err = cmp.Or(err, c.Set(f.Name, f.Value.String())) })
	return id, err
}

// checkProfileFlags returns an error unless exactly one thing is to be printed.
func checkProfileFlags(c *cli.Context, id string) error {
	asked := 0
	for _, is := range []bool{id != "", c.IsSet("sample"), c.Bool("figures")} {
		if is {
			asked++
		}
	}
	switch locale := c.String("locale"); {
	case c.Path("release") == "":
		return errors.New("give the release folder with --release DIR")
	case asked != 1:
		return errors.New("give a GEOG_ID, --sample or --figures")
	case c.Bool("why") && id == "":
		return errors.New("--why needs a GEOG_ID")
	case c.IsSet("sample") && c.Int("sample") < 1:
		return fmt.Errorf("--sample %d is not positive", c.Int("sample"))
	case locale != "en" && locale != "fr":
		return fmt.Errorf("--locale %q is neither en nor fr", locale)
	}
	return nil
}

// errNoProfile is the error for a geography without texts.
var errNoProfile = errors.New("no profile")

// printProfiles prints the texts of one geography, or of a sample.
func printProfiles(c *cli.Context, dir, id string) error {
	if _, err := schemas.ReadManifest(dir); err != nil {
		return err
	}
	db, err := released.Open(filepath.Join(dir, schemas.ProfilesFile))
	if err != nil {
		return err
	}
	defer db.Close()
	ids := []string{id}
	if id == "" {
		if ids, err = drawProfiles(c.Context, db, c.String("locale"), c.Int("sample"), c.Uint64("seed")); err != nil {
			return err
		}
	}
	for i, id := range ids {
		found := false
		err := released.Profiles(c.Context, db, id, func(p *released.Profile) error {
			found = true
			if i > 0 {
				fmt.Fprintln(c.App.Writer)
			}
			return printProfile(c.App.Writer, p, c.String("locale"), c.Bool("why"))
		})
		if err != nil {
			return err
		}
		if !found {
			return fmt.Errorf("%w of geography %s: nothing is known of it, or it is not in the release or of another level", errNoProfile, id)
		}
	}
	return nil
}

// drawProfiles draws geographies with a text in a language.
func drawProfiles(ctx context.Context, db *sql.DB, locale string, n int, seed uint64) ([]string, error) {
	query := "SELECT DISTINCT geog_id FROM profile_text WHERE locale = '" + locale + "' ORDER BY geog_id"
	ids, err := released.Values[string](ctx, db, query)
	if err != nil {
		return nil, err
	}
	random := rand.New(rand.NewPCG(seed, 0))
	random.Shuffle(len(ids), func(i, j int) { ids[i], ids[j] = ids[j], ids[i] })
	return ids[:min(n, len(ids))], nil
}

// printProfile prints the texts of a geography; with why every sentence on its own, with its pattern and facts.
func printProfile(w io.Writer, p *released.Profile, locale string, why bool) error {
	name := p.Place.NameEN
	if locale == "fr" {
		name = cmp.Or(p.Place.NameFR, name)
	}
	if p.Place.Country != "CA" {
		locale = "en" // as the server answers
	}
	fmt.Fprintf(w, "%s, %s %s (level %d, %s)\n", name, p.Place.State, p.Place.Country, p.Place.Level, p.Place.ID)
	text := p.Texts[locale]
	for section := range profile.SectionCount {
		if len(text[section]) == 0 {
			continue
		}
		fmt.Fprintf(w, "\n%s\n", sectionTitle(section, locale))
		if !why {
			var sentences []string
			for _, s := range text[section] {
				sentences = append(sentences, s.Text)
			}
			fmt.Fprintln(w, strings.Join(sentences, " "))
			continue
		}
		for _, s := range text[section] {
			fmt.Fprintf(w, "- %s\n    pattern %s\n", s.Text, s.Pattern)
			for _, at := range s.Facts {
				fmt.Fprintf(w, "    fact %d: %s\n", at, factText(&p.Facts[at]))
				fmt.Fprintf(w, "      from %s\n", p.Facts[at].Source)
			}
		}
	}
	if why {
		printUnstated(w, p, &text)
	}
	return nil
}

// sectionTitle is the title of a section as the server has it.
func sectionTitle(section profile.Section, locale string) string {
	t := schemas.ProfileTitlesIn(locale)
	return [...]string{"Introduction", t.Summary, t.Transport, t.Services, t.Character, t.Housing}[section]
}

// printUnstated lists the facts that no sentence states.
func printUnstated(w io.Writer, p *released.Profile, text *profile.Text) {
	stated := map[int]bool{}
	for _, sentences := range text {
		for _, s := range sentences {
			for _, at := range s.Facts {
				stated[at] = true
			}
		}
	}
	fmt.Fprintf(w, "\n%d of %d facts are not stated\n", len(p.Facts)-len(stated), len(p.Facts))
	for i := range p.Facts {
		if !stated[i] {
			fmt.Fprintf(w, "  fact %d, %s: %s\n", i, p.Facts[i].Section, factText(&p.Facts[i]))
		}
	}
}

// factText is a fact with its figures: "dwelling apt_dttachd, value 0.41 (0.38 to 0.44), typical 0.2, rank 0.7".
func factText(f *profile.Fact) string {
	var b strings.Builder
	b.WriteString(strings.Join(slices.DeleteFunc([]string{string(f.Code), f.Subject, f.Name}, func(s string) bool { return s == "" }), " "))
	if f.NameFR != "" && f.NameFR != f.Name {
		fmt.Fprintf(&b, " (%s)", f.NameFR)
	}
	fmt.Fprintf(&b, ", value %s", figure(f.Value))
	if f.Low == f.Low && (f.Low != 0 || f.High != 0) { // an interval is known
		fmt.Fprintf(&b, " (%s to %s)", figure(f.Low), figure(f.High))
	}
	if f.Further != 0 {
		fmt.Fprintf(&b, ", further %s", figure(f.Further))
	}
	if f.Typical == f.Typical {
		fmt.Fprintf(&b, ", typical %s", figure(f.Typical))
	}
	fmt.Fprintf(&b, ", rank %s", figure(f.Rank))
	return b.String()
}

// figure is a number with at most three decimals.
func figure(x float64) string {
	return strings.TrimRight(strings.TrimRight(fmt.Sprintf("%.3f", x), "0"), ".")
}
