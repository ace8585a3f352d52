package blocks

import (
	"bufio"
	"context"
	"fmt"
	"io/fs"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"

	"quartier/ingest/source"
)

// Redistricting data of the 2020 census (Public Law 94-171) have, for every state, a geographic header and three segments
// of tables: lines of fields separated by |, without column names, which are joined by the logical record number. The third
// segment, of group quarters, has no households and is not read.

// headerName matches the name of a geographic header, e.g. orgeo2020.pl; its first segment is or000012020.pl.
var headerName = regexp.MustCompile(`^([a-z]{2})geo(\d{4})\.pl$`)

// Indexes of fields, 0 the first.
const (
	headerFields = 97
	summaryLevel = 2
	headerRecord = 7
	geocode      = 9
	headerPeople = 90 // POP100
	headerHomes  = 91 // HU100

	idFields      = 5                       // FILEID, STUSAB, CHARITER, CIFSN, LOGRECNO
	peopleFields  = 71 + 73                 // of P1 and P2, and the same number of P3 and P4
	segmentRecord = idFields - 1            // in both segments
	allPeople     = idFields                // P1_001 of segment 1
	allHomes      = idFields + peopleFields // H1_001 of segment 2
	occupied      = allHomes + 1            // H1_002

	firstFields  = idFields + peopleFields
	secondFields = idFields + peopleFields + 3 // H1
)

// blockLevel is the summary level of blocks, and blockCode matches their GEOCODE.
const blockLevel = "750"

var blockCode = regexp.MustCompile(`^\d{15}$`)

// readRedistricting reads the counts of the blocks of one or several states, in a folder or an archive.
func readRedistricting(ctx context.Context, name string, limits source.Limits, out source.Sink) (*counts, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if info.IsDir() {
		return redistrictingIn(ctx, os.DirFS(name), name, out)
	}
	archive, err := source.OpenZip(name, limits)
	if err != nil {
		return nil, err
	}
	defer archive.Close()
	return redistrictingIn(ctx, archive, name, out)
}

// redistricting is one run of the reader.
type redistricting struct {
	files fs.FS
	name  string            // of the folder or archive
	paths map[string]string // of the files, by their path in lower case
	out   source.Sink
	into  *counts
}

func redistrictingIn(ctx context.Context, files fs.FS, name string, out source.Sink) (*counts, error) {
	r := &redistricting{files: files, name: name, paths: map[string]string{}, out: out,
		into: &counts{rows: map[string]figures{}, used: map[string]bool{}, conflicting: map[string]bool{}}}
	var headers []string // by path
	err := fs.WalkDir(files, ".", func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		small := strings.ToLower(p)
		r.paths[small] = p
		if headerName.MatchString(path.Base(small)) {
			headers = append(headers, small)
		}
		return nil
	})
	if err != nil {
		return nil, r.bad("%v", err)
	}
	if len(headers) == 0 {
		return nil, r.bad("it has no geographic header, such as orgeo2020.pl")
	}
	for _, header := range headers {
		if err := r.state(ctx, header); err != nil {
			return nil, err
		}
	}
	return r.into.filled(name)
}

func (r *redistricting) bad(format string, args ...any) error {
	return source.BadFile(r.name, format, args...)
}

// blockCounts is a block of the geographic header with its counts from the tables.
type blockCounts struct {
	geocode, where string
	people, homes  string  // of the header
	counts         figures // of the tables
	segments       int     // read so far
}

// state reads the segments of a geographic header.
func (r *redistricting) state(ctx context.Context, header string) error {
	list, byRecord, err := r.header(ctx, header)
	if err != nil {
		return err
	}
	folder, name := path.Split(header)
	parts := headerName.FindStringSubmatch(name)
	for i, fields := range []int{firstFields, secondFields} {
		segment := fmt.Sprintf("%s%s%05d%s.pl", folder, parts[1], i+1, parts[2])
		read := 0
		err := r.lines(ctx, segment, fields, func(line int, field []string) {
			b := byRecord[field[segmentRecord]]
			where := fmt.Sprintf("%s line %d", path.Base(segment), line)
			switch {
			case b == nil: // not a block
			case b.segments > i:
				r.out.Issue(source.DuplicateKey, where+" "+b.geocode)
			default:
				b.segments++
				read++
				b.setCounts(i, field, r.out, where)
			}
		})
		if err != nil {
			return err
		}
		if read < len(list) {
			return r.bad("%s has no row for %d of %d blocks of %s: is it truncated, or of another state or release?", path.Base(segment),
				len(list)-read, len(list), name)
		}
	}
	for _, b := range list {
		r.keep(b)
	}
	return nil
}

// header reads the blocks of a geographic header and returns them in its order and by logical record number.
func (r *redistricting) header(ctx context.Context, name string) (list []*blockCounts, byRecord map[string]*blockCounts, err error) {
	byRecord = map[string]*blockCounts{}
	err = r.lines(ctx, name, headerFields, func(line int, field []string) {
		r.out.Read(1)
		b := &blockCounts{geocode: strings.Clone(field[geocode]), where: fmt.Sprintf("%s line %d", path.Base(name), line),
			people: strings.Clone(field[headerPeople]), homes: strings.Clone(field[headerHomes])}
		switch {
		case field[summaryLevel] != blockLevel:
			r.out.Issue(nonBlock, b.where)
		case !blockCode.MatchString(b.geocode):
			r.out.Issue(source.MissingKey, b.where)
		case byRecord[field[headerRecord]] != nil:
			r.out.Issue(source.DuplicateKey.With("LOGRECNO"), b.where+" "+b.geocode)
		default:
			byRecord[strings.Clone(field[headerRecord])] = b
			list = append(list, b)
		}
	})
	return list, byRecord, err
}

// setCounts sets the counts of a line of a segment, 0 the first.
func (b *blockCounts) setCounts(segment int, field []string, out source.Sink, where string) {
	if segment == 0 {
		b.counts.population = count(field[allPeople], out, where)
		return
	}
	b.counts.dwellings, b.counts.households = count(field[allHomes], out, where), count(field[occupied], out, where)
}

// keep adds a block to the counts. People and dwellings must equal those of the header; otherwise the files are of
// different states or releases.
func (r *redistricting) keep(b *blockCounts) {
	if _, twice := r.into.rows[b.geocode]; twice {
		r.out.Issue(source.DuplicateKey, b.where+" "+b.geocode)
		return
	}
	if !same(b.counts.population, b.people) || !same(b.counts.dwellings, b.homes) {
		r.out.Issue(headerMismatch, b.where+" "+b.geocode)
		r.into.conflicting[b.geocode] = true
		return
	}
	b.counts.checkHouseholds(r.out, b.where+" "+b.geocode)
	r.into.rows[b.geocode] = b.counts
}

// same compares a count with a text; a removed count equals any text.
func same(n *int64, text string) bool {
	other, ok := wholeNumber(text)
	return n == nil || ok && other != nil && *other == *n
}

// lines calls take for each line of a file. All lines must have the given number of fields; otherwise the file is
// truncated or another one. The fields are valid during the call.
func (r *redistricting) lines(ctx context.Context, name string, fields int, take func(line int, field []string)) error {
	const maxLine = 1 << 20 // bytes; lines of these files have some hundreds
	base := path.Base(name)
	file, err := r.files.Open(r.paths[name])
	if err != nil {
		return r.bad("%s is missing", base)
	}
	defer file.Close()
	scanner := bufio.NewScanner(file)
	scanner.Buffer(nil, maxLine)
	line, field := 0, make([]string, 0, fields)
	for scanner.Scan() {
		if err := ctx.Err(); err != nil {
			return err
		}
		line++
		field = slices.AppendSeq(field[:0], strings.SplitSeq(scanner.Text(), "|"))
		if len(field) != fields {
			return r.bad("%s line %d has %d fields, not %d: is it truncated, or another file?", base, line, len(field), fields)
		}
		take(line, field)
	}
	if err := scanner.Err(); err != nil {
		return r.bad("%s: %v", base, err)
	}
	if line == 0 {
		return r.bad("%s is empty", base)
	}
	return nil
}
