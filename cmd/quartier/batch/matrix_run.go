package batch

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"quartier/cmd/quartier/journeys"
	"quartier/internal/arrowfile"
	"quartier/internal/travel"
	"quartier/serve/enrich"
	"quartier/serve/release"
)

// matrix is a run of quartier matrix: the minutes from all points of a file to those of another one, or of the same.
//
// Its blocks are consecutive rows of from with all of to, so that the bytes of the output are the same however often it was interrupted.
type matrix struct {
	Options // In is not set
	release *release.Release
	world   *travel.World
	how     travel.Options
	from    *pointFile
	to      *pointFile
	rows    int // of from in a block
	schema  *arrow.Schema
	parts   *parts
}

// Most pairs and rows of from in a block: those of transit take long, and what is finished is kept by blocks.
const (
	blockPairs       = 8_000_000
	blockTransitRows = 100
	maxTransitTo     = 200_000 // points of to, each of which keeps the walks from the stops around it
)

// run makes the parts and joins them.
func (m *matrix) run(ctx context.Context) (s Summary, err error) {
	if m.how.Mode == travel.Transit && len(m.to.ids) > maxTransitTo {
		return s, fmt.Errorf("%w: %s: %d points; by transit there are at most %d to which one travels: divide the file", ErrInput, m.to.name,
			len(m.to.ids), maxTransitTo)
	}
	m.rows = max(blockPairs/len(m.to.ids), 1)
	if m.how.Mode == travel.Transit {
		m.rows = min(m.rows, blockTransitRows)
	}
	text := arrow.Field{Type: arrow.BinaryTypes.String, Nullable: true}
	fields := []arrow.Field{text, text}
	fields[0].Name, fields[1].Name = "from_id", "to_id"
	for _, p := range m.how.Percentiles {
		fields = append(fields, arrow.Field{Name: fmt.Sprintf("minutes_p%d", p), Type: arrow.PrimitiveTypes.Int32, Nullable: true})
	}
	m.schema = arrow.NewSchema(fields, nil)
	is, err := m.identity()
	if err != nil {
		return s, err
	}
	if m.parts, err = openPartsOf("matrix", m.Out, true, m.Resume, is); err != nil {
		return s, err
	}
	defer func() {
		if cerr := m.parts.close(); err == nil {
			err = cerr
		}
	}()
	if err := m.work(ctx); err != nil {
		return s, m.parts.stopped(err)
	}
	if s, err = m.parts.summary(); err != nil {
		return s, err
	}
	if err := m.join(ctx); err != nil {
		return s, m.parts.stopped(err)
	}
	return s, m.parts.remove()
}

// identity is what the parts are made of.
func (m *matrix) identity() ([]byte, error) {
	from, err := m.from.identity()
	if err != nil {
		return nil, err
	}
	to, err := m.to.identity()
	is := identity{Input: from + " to " + to, Reading: fmt.Sprintf("%+v, blocks of %d points", m.how, m.rows),
		Release: []string{m.release.Digest()}, Columns: columnTypes(m.schema), Format: string(m.OutFormat), Version: m.Version}
	text, jerr := json.MarshalIndent(is, "", " ")
	return text, errors.Join(err, jerr)
}

// work makes the parts that are not there yet, one after the other, each on all processors.
func (m *matrix) work(ctx context.Context) error {
	total := len(m.from.ids) * len(m.to.ids)
	progress := newProgress(m.Screen, int64(total))
	var targets *travel.Targets
	into := make([]travel.Minutes, min(m.rows, len(m.from.ids))*len(m.to.ids)*len(m.how.Percentiles))
	for part, first := 0, 0; first < len(m.from.ids); part, first = part+1, first+m.rows {
		end := min(first+m.rows, len(m.from.ids))
		pairs := int64((end - first) * len(m.to.ids))
		if m.parts.has(part) {
			progress.skip(pairs)
			continue
		}
		var err error
		if targets == nil {
			if targets, err = m.world.Targets(ctx, m.to.at, m.how); err != nil {
				return err
			}
		}
		block := into[:int(pairs)*len(m.how.Percentiles)]
		if err := targets.FromAll(ctx, m.from.at[first:end], block); err != nil {
			return err
		}
		if err := m.write(ctx, part, first, block); err != nil {
			return err
		}
		progress.add(pairs)
	}
	return nil
}

// options are those of the writer.
func (m *matrix) options() arrowfile.Options {
	return arrowfile.Options{Format: m.OutFormat, GroupRows: maxBlockRows, Fast: true}
}

// write writes the part of a block whose first row of from is known.
func (m *matrix) write(ctx context.Context, part, first int, block []travel.Minutes) error {
	out, err := arrowfile.Create(m.parts.file(part), m.schema, m.options())
	if err != nil {
		return err
	}
	defer out.Abort()
	of, n := len(m.to.ids), len(m.how.Percentiles)
	s := Summary{Rows: int64(len(block) / n), Statuses: map[string]int64{}}
	b := array.NewRecordBuilder(memory.DefaultAllocator, m.schema)
	defer b.Release()
	for pair := 0; pair < len(block)/n; pair++ {
		b.Field(0).(*array.StringBuilder).Append(m.from.ids[first+pair/of])
		b.Field(1).(*array.StringBuilder).Append(m.to.ids[pair%of])
		for k, minutes := range block[pair*n:][:n] {
			column := b.Field(2 + k).(*array.Int32Builder)
			if minutes < 0 {
				column.AppendNull()
			} else {
				column.Append(int32(minutes))
			}
		}
		s.Statuses[statusOf(block[pair*n])]++
		if (pair+1)%sliceRows == 0 || pair+1 == len(block)/n {
			record := b.NewRecord()
			err := out.WriteBatch(record)
			record.Release()
			if err != nil {
				return err
			}
		}
	}
	if err := out.Close(ctx); err != nil {
		return err
	}
	return m.parts.done(part, &s)
}

// What is known of pairs, by the lowest percentile.
const (
	pairReached   = "reached"
	pairUnreached = "not within the limits"
	pairUnknown   = "not known"
)

func statusOf(m travel.Minutes) string {
	switch m {
	case travel.Unknown:
		return pairUnknown
	case travel.Unreached:
		return pairUnreached
	}
	return pairReached
}

// join joins the parts.
func (m *matrix) join(ctx context.Context) error {
	of := m.release.Manifest
	attribution, err := enrich.Attributions(of, "travel")
	if err != nil {
		return err
	}
	options := m.options()
	options.Metadata = map[string]string{"quartier:release": of.Digest, "quartier:release_name": of.Release, "quartier:as_of": of.AsOf,
		"quartier:tool_version": of.ToolVersion, "quartier:matrix": journeys.Words(m.how), "quartier:attribution": attribution}
	return m.parts.join(ctx, m.Out, m.Stdout, m.schema, options)
}

// conclude prints what became of the pairs, and the points of which not all is known.
func (m *matrix) conclude(s *Summary) error {
	table := tabwriter.NewWriter(m.Screen, 0, 0, 2, ' ', tabwriter.AlignRight)
	for _, status := range []string{pairReached, pairUnreached, pairUnknown} {
		if n := s.Statuses[status]; n > 0 {
			fmt.Fprintf(table, "%s\t%d\t%.2f %%\t\n", status, n, 100*float64(n)/float64(s.Rows))
		}
	}
	fmt.Fprintf(table, "all\t%d\t\t\n", s.Rows)
	if err := table.Flush(); err != nil {
		return err
	}
	for _, of := range []*pointFile{m.from, m.to} {
		known := func(good func(c travel.Coverage) bool) func(i int) bool {
			return func(i int) bool { return good(m.world.Cover(of.at[i], m.how.Day)) }
		}
		m.note(of, "beyond the streets of the release", known(func(c travel.Coverage) bool { return c.Streets }))
		if m.how.Mode == travel.Transit {
			m.note(of, "beyond the ground of its timetables",
				known(func(c travel.Coverage) bool { return !c.Streets || c.Transit || c.Partial }))
			m.note(of, "where its timetables have some of the lines only, so that one may be faster",
				known(func(c travel.Coverage) bool { return c.Transit || !c.Partial }))
		}
		m.note(of, fmt.Sprintf("farther than %d m from a street of the mode", travel.LinkM), func(i int) bool {
			_, ok := m.world.Snap(of.at[i], m.how.Mode)
			return ok
		})
		if m.to == m.from {
			break
		}
	}
	return nil
}

// note says how many points of a file are not as they should be.
func (m *matrix) note(of *pointFile, what string, good func(i int) bool) {
	bad, first := 0, 0
	for i := len(of.at) - 1; i >= 0; i-- {
		if !good(i) {
			bad, first = bad+1, i
		}
	}
	if bad > 0 {
		fmt.Fprintf(m.Screen, "%s: %s of %d %s; the first is row %d, %s\n", of.name, rows(int64(bad)), len(of.at), what, first+1,
			strings.TrimSpace(of.ids[first]))
	}
}
