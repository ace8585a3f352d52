// Package draft writes a region file from the files that a person has: it recognises them by what they contain, with the
// readers and checks of the kinds of source, and says in comments that end in a question mark what it is not sure of. It
// changes nothing in the folder.
package draft

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"sort"
	"strings"

	"quartier/ingest"
	"quartier/internal/outline"
)

// ErrNothing is the error of a folder in which nothing is recognised.
var ErrNothing = errors.New("no file is recognised as a source")

// mostFiles are the most files of a folder.
const mostFiles = 5000

// Draft is a region file to be.
type Draft struct {
	Name, Title    string
	Country, State string // "": not known, or several
	StateSure      bool   // hardly a file is in another state
	Sources        []*Source
	Unknown        []string // files that are no source, and why, each a sentence
}

// Source is a source of a draft.
type Source struct {
	ID, Kind, Path, AsOf, Licence, Attribution string

	Options *options
	Doubts  []string // each a question, without its mark
	Facts   []string // what was seen of the file
	Off     string   // why it is a comment; "": it is a source
	guess   *guess
	sample  *sample
}

// Of reads a folder.
func Of(ctx context.Context, folder string) (*Draft, error) {
	root, err := filepath.Abs(folder)
	if err != nil {
		return nil, err
	}
	files, err := list(root)
	if err != nil {
		return nil, err
	}
	d := &Draft{Name: dashed(filepath.Base(root)), Title: title(filepath.Base(root))}
	states := map[string]int{}
	for _, path := range files {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		d.file(ctx, root, path, states)
	}
	d.merge(ctx)
	d.pairs(ctx)
	d.place(states)
	if d.count() == 0 {
		return nil, fmt.Errorf("%w: %s; see DATA.md for what each kind reads", ErrNothing, folder)
	}
	slices.SortStableFunc(d.Sources, func(a, b *Source) int { return rank(a.Kind) - rank(b.Kind) })
	for _, s := range d.Sources {
		d.complete(ctx, s)
	}
	return d, nil
}

// count is how many sources are no comments.
func (d *Draft) count() (n int) {
	for _, s := range d.Sources {
		if s.Off == "" {
			n++
		}
	}
	return n
}

// rank is the order of kinds in a region file.
func rank(kind string) int {
	order := []string{"boundaries", "zones", "blocks", "water", "acs", "census-profile", "home-values", "osm", "roads", "overpass", "overture",
		"places", "gtfs", "transit-lines", "schools", "nces", "odef", "school-ratings", "catchments", "cycling-network", "traffic-counts",
		"heritage", "elevation", "land-cover", "brands", "gazetteer", "corrections", "ground"}
	if at := slices.Index(order, kind); at >= 0 {
		return at
	}
	return len(order)
}

// list lists the files of a folder that may be sources or parts of them, in the order of their paths. A feed of timetables that
// is a folder is one of them.
func list(root string) (files []string, err error) {
	err = filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case strings.HasPrefix(entry.Name(), ".") && path != root:
			if entry.IsDir() {
				return fs.SkipDir
			}
			return nil
		case entry.IsDir() && isFeed(path):
			files = append(files, path)
			return fs.SkipDir
		case entry.Type().IsRegular():
			files = append(files, path)
		}
		if len(files) > mostFiles {
			return fmt.Errorf("%s has more than %d files; draft a folder of fewer", root, mostFiles)
		}
		return nil
	})
	sort.Strings(files)
	return files, err
}

// isFeed reports whether a folder has the files of a timetable.
func isFeed(folder string) bool {
	for _, name := range []string{"stops.txt", "routes.txt", "trips.txt"} {
		if found, err := filepath.Glob(filepath.Join(globbed(folder), name)); err != nil || len(found) == 0 {
			return false
		}
	}
	return true
}

// globbed is a path in which nothing is a pattern.
func globbed(path string) string {
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(path)
}

// beside are extensions of files that belong to others.
var beside = []string{".dbf", ".shx", ".prj", ".cpg", ".sbn", ".sbx", ".qpj", ".md", ".pdf", ".html", ".xml", ".lock", ".sh", ".py"}

// about matches names of files that say something of others.
var about = regexp.MustCompile(`(?i)^(licen[cs]e|readme|copying|notice)|[_-]metadata\.csv$|_codebook\.txt$|-table-notes\.txt$`)

// file adds what a file is.
func (d *Draft) file(ctx context.Context, root, path string, states map[string]int) {
	if slices.Contains(beside, strings.ToLower(filepath.Ext(path))) || about.MatchString(filepath.Base(path)) {
		return
	}
	name, err := filepath.Rel(root, path)
	if err != nil {
		name = path
	}
	guesses, s, why := recognise(ctx, path)
	if len(guesses) == 0 {
		d.Unknown = append(d.Unknown, name+": "+why)
		return
	}
	if s != nil {
		s.locate()
		for code, n := range s.states() {
			states[code] += n
		}
	}
	for _, g := range guesses {
		d.Sources = append(d.Sources, &Source{Kind: g.kind, Path: path, Options: g.options, Doubts: g.doubts, Off: g.off, guess: g, sample: s})
	}
}

// merge makes one source of the files of a folder that are read together.
func (d *Draft) merge(ctx context.Context) {
	byFolder := map[string][]*Source{}
	var keys []string
	for _, s := range d.Sources {
		if slices.Contains([]string{"acs", "nces", "brands", "census-profile"}, s.Kind) && len(s.Doubts) == 0 {
			key := s.Kind + " " + filepath.Dir(s.Path)
			if byFolder[key] == nil {
				keys = append(keys, key)
			}
			byFolder[key] = append(byFolder[key], s)
		}
	}
	for _, key := range keys {
		group := byFolder[key]
		if len(group) < 2 {
			continue
		}
		folder := filepath.Dir(group[0].Path)
		alone := !slices.ContainsFunc(d.Sources, func(s *Source) bool { // nothing else is in the folder
			return !slices.Contains(group, s) && strings.HasPrefix(s.Path, folder+string(filepath.Separator))
		})
		if !alone || check(ctx, folder, group[0].guess) != nil {
			continue
		}
		group[0].Path = folder
		group[0].Facts = append(group[0].Facts, fmt.Sprintf("%d files of the folder are read together", len(group)))
		d.Sources = slices.DeleteFunc(d.Sources, func(s *Source) bool { return slices.Contains(group[1:], s) })
		d.Unknown = slices.DeleteFunc(d.Unknown, func(text string) bool { // what the folder's source reads or counts
			return strings.HasSuffix(filepath.Dir(strings.SplitN(text, ": ", 2)[0]), filepath.Base(folder))
		})
	}
}

// pairs puts together the outlines of blocks and the table of their people, and sets aside a table that a file of features
// beside it repeats.
func (d *Draft) pairs(ctx context.Context) {
	for _, s := range d.Sources {
		if s.guess.kind == "boundaries" && s.sample != nil && s.sample.shape == "area" && s.sample.all("DBUID") {
			d.pairBlocks(ctx, s)
		}
		for _, other := range d.Sources {
			same := other.Kind == s.Kind && other.Path != s.Path && strings.EqualFold(stemOf(other.Path), stemOf(s.Path))
			if same && s.Off == "" && other.Off == "" && (isTable(s.Path) || !isTable(other.Path)) {
				s.Off = "is it the same as " + filepath.Base(other.Path)
			}
		}
	}
}

// isTable reports whether a file is delimited text, which has less than a file of features of the same name.
func isTable(path string) bool {
	return slices.Contains([]string{".csv", ".txt", ".tsv"}, strings.ToLower(filepath.Ext(path)))
}

// pairBlocks makes a source of blocks of outlines and the table beside them that has their people.
func (d *Draft) pairBlocks(ctx context.Context, s *Source) {
	folder := filepath.Dir(s.Path)
	tables, err := filepath.Glob(filepath.Join(globbed(folder), "*.csv"))
	if err != nil {
		return
	}
	for _, path := range tables {
		t := sampleOf(ctx, path)
		if !t.all("DBUID") || t.columnWith("pop") == "" {
			continue
		}
		g := &guess{kind: "blocks", options: newOptions().text("layout", "statcan-db").text("outlines", filepath.Base(s.Path)).
			text("counts", filepath.Base(path))}
		if check(ctx, folder, g) == nil {
			s.Kind, s.Path, s.Options, s.Doubts, s.guess = g.kind, folder, g.options, nil, g
			s.ID = dashed(stemOf(path))
			d.Unknown = slices.DeleteFunc(d.Unknown, func(text string) bool { return strings.Contains(text, filepath.Base(path)) })
			return
		}
	}
}

// place sets the country, where nine of ten points are in one, and the state, where two of three are.
func (d *Draft) place(states map[string]int) {
	all, countries := 0, map[string]int{}
	for code, n := range states {
		all += n
		countries[code[:2]] += n
	}
	for country, n := range countries {
		if n*10 >= all*9 {
			d.Country = country
		}
	}
	for code, n := range states {
		if d.Country != "" && n*3 >= all*2 && outline.Of(code) != nil {
			d.State, d.StateSure = code[3:], n*20 >= all*19
		}
	}
}

// Repair makes comments of the sources with faults until the region file at a path, which write writes, has none that a build
// finds before it reads a row.
func (d *Draft) Repair(ctx context.Context, file string, write func() error) error {
	for range len(d.Sources) + 1 {
		if err := write(); err != nil {
			return err
		}
		region, err := ingest.ReadRegion(file, func(string) (string, bool) { return "", false }, "")
		var faults ingest.Faults
		if errors.As(err, &faults); region == nil {
			return err
		}
		_, more, err := ingest.Preflight(ctx, []*ingest.Region{region})
		if err != nil {
			return err
		}
		if !d.turnOff(append(faults, more...)) {
			return nil
		}
		if d.count() == 0 {
			return fmt.Errorf("%w: every one has faults, of which the first is %w", ErrNothing, append(faults, more...)[0])
		}
	}
	return nil
}

// turnOff makes comments of the sources at fault, and reports whether there were any.
func (d *Draft) turnOff(faults ingest.Faults) (found bool) {
	for _, f := range faults {
		for _, s := range d.Sources {
			if s.ID == f.Source && s.Off == "" {
				text, _, _ := strings.Cut(strings.TrimPrefix(f.Err.Error(), ingest.ErrBadRegion.Error()+": "), "\n")
				s.Off, found = "a build refuses it: "+text, true
			}
		}
	}
	return found
}
