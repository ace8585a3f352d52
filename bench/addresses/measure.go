package addresses

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"quartier/bench/fail"
	"quartier/bench/programs"
	"quartier/bench/ratio"
	"quartier/internal/address"
	"quartier/internal/coord"
	"quartier/internal/pack"
	packed "quartier/internal/pack/addresses"
)

// Frame is what measurements are made in.
type Frame struct {
	*ratio.Run
	Dir       string // of the tables
	Addresses int
	Slice     time.Duration                          // per side and round
	Peer      func(dir string, load func(Peer)) Peer // starts PostgreSQL with what is loaded into it once
}

// Build is the subprogram that writes the table of a number of addresses to a file.
func Build(operands []string) {
	out := fail.Must(pack.Create(operands[1]))
	w := packed.NewWriter(out, filepath.Dir(operands[1]))
	defer w.Close()
	each(fail.Must(strconv.Atoi(operands[0])), func(r *packed.Record) { fail.Check(w.Add(r)) })
	fail.Check(w.Finish())
	fail.Check(out.Close())
}

// Measure builds the table of the addresses and measures what it answers, alone and beside PostgreSQL, which has a part of them.
func (f *Frame) Measure(ctx context.Context) {
	fail.Check(os.MkdirAll(f.Dir, 0o755))
	path := filepath.Join(f.Dir, "addresses.pack")
	built := programs.RunSelf(ctx, "addresses", strconv.Itoa(f.Addresses), path)
	size := float64(fail.Must(os.Stat(path)).Size()) / float64(f.Addresses)
	name := fmt.Sprintf("table of %d addresses", f.Addresses)
	f.limit(name, "40 bytes each", fmt.Sprintf("%.1f bytes", size), 40/size)
	f.limit(name, "processor second per 100,000", fmt.Sprintf("%.0f s, of the processor %.0f s", built.Seconds, built.Processor),
		float64(f.Addresses)/100_000/built.Processor)
	f.limit(name, "1 GB", fmt.Sprintf("%.0f MB", built.PeakMB), 1024/built.PeakMB)
	f.rates(path)
	f.compare(ctx)
}

// limit records a limit divided by what is measured, in each round.
func (f *Frame) limit(name, against, figure string, shares ...float64) {
	f.Record(name, against, 1, "limit/measured", ratio.SpreadOf(shares), 1, figure)
}

// questions are about every so many of the addresses of a table.
type questions struct {
	table        *packed.Table
	about        []packed.Record
	lines, wrong []string // as people type them, and with a typing error
	found        packed.Found
	nearby       packed.Nearby
	suggestions  packed.Suggestions
}

// open opens a table of n addresses with about so many questions.
func open(path string, n, many int) (q *questions, closed func() error) {
	file := fail.Must(pack.Open(path))
	q = &questions{table: fail.Must(packed.Open(file))}
	step, i := max(1, n/many), 0
	each(n, func(r *packed.Record) {
		if i++; i%step == step/2 {
			q.about = append(q.about, *r)
			q.lines = append(q.lines, line(r))
			q.wrong = append(q.wrong, misspelt(*r, len(q.about)))
		}
	})
	return q, file.Close
}

// find reports whether the ith address is found by a line.
func (q *questions) find(lines []string, i int) bool {
	q.table.Find(&packed.Query{Address: address.Read(lines[i]), Level: packed.Place}, &q.found)
	return len(q.found.Matches) > 0 && q.at(i, q.found.Matches[0].Lng, q.found.Matches[0].Lat)
}

// at reports whether a place is within 60 m of the ith address.
func (q *questions) at(i int, lng, lat float64) bool {
	p, _ := coord.NewPoint(lng, lat)
	return coord.NewPlane(q.about[i].Point).Square(p) < 60*60
}

// nearest reports whether the ith address is the nearest to a point beside it.
func (q *questions) nearest(i int) bool {
	lng, lat := q.about[i].Point.Degrees()
	m, _, found := q.table.Nearest(lng+1e-5, lat, 200, &q.nearby)
	return found && q.at(i, m.Lng, m.Lat)
}

// suggest asks what the number and 3 to 10 characters more of the ith address can become.
func (q *questions) suggest(i int) bool {
	text := q.lines[i]
	q.table.Suggest(text[:min(len(text), len(q.about[i].Number)+4+i%8)], &q.about[i].Point, 5, nil, &q.suggestions)
	return len(q.suggestions.Matches) > 0
}

// rates measures answers by processor time, in interleaved rounds, and the median time of suggestions.
func (f *Frame) rates(path string) {
	q, closed := open(path, f.Addresses, 20_000)
	defer closed()
	for _, k := range []struct {
		name   string
		target float64 // answers a second of a processor
		least  float64 // share of answers that are right
		ask    func(i int) bool
	}{
		{"addresses as they are", 20_000, .99, func(i int) bool { return q.find(q.lines, i) }},
		{"addresses with a typing error", 5_000, .9, func(i int) bool { return q.find(q.wrong, i) }},
		{"nearest address", 200_000, .99, q.nearest},
		{"suggestions of an address", 1_000, .99, q.suggest},
	} {
		right := 0
		for i := range q.about {
			if k.ask(i) {
				right++
			}
		}
		if share := float64(right) / float64(len(q.about)); share < k.least {
			fail.Errorf("%s: %.3f are right", k.name, share)
		}
		var shares, medians []float64
		for round := range f.Rounds {
			var times []float64
			spent := programs.OwnSeconds()
			for begun := time.Now(); time.Since(begun) < f.Slice; {
				asked := time.Now()
				k.ask((round*7919 + len(times)) % len(q.about))
				times = append(times, time.Since(asked).Seconds())
			}
			shares = append(shares, float64(len(times))/(programs.OwnSeconds()-spent)/k.target)
			slices.Sort(times)
			medians = append(medians, times[len(times)/2])
		}
		f.limit(k.name, fmt.Sprintf("%.0f/s of a processor", k.target), fmt.Sprintf("%.0f/s, median %.0f µs, %d of %d right",
			k.target*ratio.SpreadOf(shares).Median, 1e6*ratio.SpreadOf(medians).Median, right, len(q.about)), shares...)
	}
}
