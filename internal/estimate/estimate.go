// Package estimate predicts rows, time, disk and memory of the steps of a build: from what a run before measured, where it
// did the same step, else from rates by kind of source.
package estimate

import (
	"cmp"
	"maps"
	"slices"
)

// Step is a step of a build, such as the ingest of a region, with what it reads.
type Step struct {
	Name  string
	Phase Phase
	Reads map[string]Size // by kind of source
	Takes Shares          // counts for Build alone
}

// Shares are what a step of Build takes of all that is needed, as its package steps declares it, from 0 to 1.
type Shares struct {
	Time, Disk           float64 // of what sources need but lists of places
	PlaceTime, PlaceDisk float64 // of what each place of such lists needs
}

// All is what all steps of Build take together.
var All = Shares{1, 1, 1, 1}

// Size is how much there is of the sources of a kind.
type Size struct {
	Bytes int64 // of the files
	Rows  int64 // that their headers say; 0: not known
	Left  int64 // bytes of rows that the options of the sources leave out
}

// Add adds two sizes.
func (s Size) Add(other Size) Size {
	return Size{s.Bytes + other.Bytes, s.Rows + other.Rows, s.Left + other.Left}
}

// kept is the size of what the options do not leave out, in megabytes.
func (s Size) kept() float64 { return float64(s.Bytes-s.Left) / megabyte }

// Phase is what a step does.
type Phase int

// The phases of a build.
const (
	Ingest Phase = iota
	Lend
	Transform
	Build
)

// Measured is what a step needed, or is predicted to need.
type Measured struct {
	Seconds float64 `json:"seconds"`
	Rows    int64   `json:"rows,omitempty"`  // read from the files; of an ingest
	Bytes   int64   `json:"bytes"`           // of the files that it wrote
	Input   int64   `json:"input,omitempty"` // bytes of the source files
}

// rate is what a megabyte of a kind of source takes.
type rate struct {
	rows                     float64 // read
	ingest, transform, build float64 // seconds
	staged, derived, release float64 // megabytes written
	memory                   float64 // megabytes in use at once
}

// rates were measured on two processors that nobody else used, over the regions of regions/ and of the fixtures. A file has more or less of
// everything by its compression.
var rates = map[string]rate{
	"addresses":       {9000, 0.1, 0.1, 0.1, 0.6, 0.6, 0.3, 3},
	"acs":             {2700, 0.12, 0.1, 0.1, 2, 1, 1, 5},
	"blocks":          {1600, 0.06, 0.1, 0.1, 0.6, 0.5, 0.5, 4},
	"boundaries":      {500, 0.15, 0.03, 0.1, 0.2, 0.2, 0.5, 5},
	"brands":          {2600, 0.03, 0, 0, 0.2, 0, 0, 5},
	"census-profile":  {7000, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.3},
	"catchments":      {100, 0.15, 0.1, 0.1, 1, 1, 1, 10},
	"cycling-network": {5000, 0.15, 1, 0.1, 1, 0, 0, 5},
	"elevation":       {2, 0.02, 0.05, 0, 2, 0, 0, 5},
	"ground":          {5000, 0.3, 0, 0.3, 1, 0, 0.3, 10},
	"gtfs":            {40_000, 0.1, 0.05, 0.1, 0.3, 0.3, 0.3, 10},
	"home-values":     {2000, 0.1, 0, 0.1, 1, 0.3, 0.3, 5},
	"heritage":        {1000, 0.15, 0.05, 0.05, 0.3, 0, 0, 5},
	"jobs":            {40_000, 0.5, 0.5, 0, 5, 5, 0, 30},
	"land-cover":      {40, 0.3, 0.5, 0, 60, 0, 0, 10},
	"nces":            {5000, 0.1, 0.3, 0.3, 1, 1, 1, 20},
	"odef":            {6000, 0.1, 0.3, 0.3, 2, 1, 1, 10},
	"osm":             {10_000, 0.42, 1.8, 2, 3.7, 6.5, 12, 30},
	"overpass":        {6000, 0.08, 0.1, 0.1, 1, 0.5, 0.5, 10},
	"overture":        {8500, 0, 0, 0, 0, 0, 0, 0},
	"places":          {6000, 0, 0, 0, 0, 0, 0, 0},
	"reso":            {1500, 0.02, 0, 0, 0.3, 0, 0, 5},
	"roads":           {3400, 0.1, 0.6, 1, 1.2, 3, 6, 10},
	"schools":         {5000, 0.08, 0.3, 0.3, 2, 1, 1, 10},
	"school-ratings":  {10_000, 0.2, 0.1, 0, 1, 0, 0, 5},
	"traffic-counts":  {3000, 0.1, 0.1, 0, 0.4, 0, 0, 5},
	"transit-lines":   {2000, 0.1, 0.1, 0.1, 1, 0.5, 0.5, 10},
	"zones":           {320, 0.07, 0, 0.1, 0.3, 0.3, 0.3, 10},
}

// rowRate is what a row takes beside the bytes of its file.
type rowRate struct {
	ingest, transform, build float64 // seconds
	lend                     float64 // seconds
	staged, derived, release float64 // megabytes written
	memory, built            float64 // megabytes in use at once, in transform and in build
	buffered                 float64 // the same in both beside it, up to what databases keep of their files
	sorted                   float64 // the same while the file is read, up to the limit of the database that sorts it
	places                   bool    // of a list with nearly all places of a large release: PlaceTime and PlaceDisk of a step count
}

// rowRates are of kinds whose files have few or many rows in a megabyte: 300,000 outlines of hamlets have 12 MB, and 900
// outlines of a state's places as much.
var rowRates = map[string]rowRate{
	"boundaries":         {0.15e-3, 0.3e-3, 0.7e-3, 0, 0.1e-3, 0.15e-3, 1.7e-3, 2.9e-3, 2.9e-3, 0, 0, false},
	"custom-geographies": {0, 0, 12e-3, 0, 0, 0, 27e-3, 20e-3, 20e-3, 0, 0, false},
	"overture":           places(0.06e-3, 1.5e-3),
	"places":             places(0.025e-3, 0),
}

// places is what a row of a list of places takes; lists differ in how they are read.
func places(ingest, sorted float64) rowRate {
	return rowRate{ingest, 0.1e-3, 0.12e-3, 0.02e-3, 0.12e-3, 0.25e-3, 1.5e-3, 0.18e-3, 0.13e-3, 1.3e-3, sorted, true}
}

// anyKind is the rate of a kind that was not measured.
var anyKind = rate{3000, 0.2, 0.3, 0.3, 2, 1, 1, 20}

// What a step takes without any data, in seconds and megabytes.
const (
	emptySeconds  = 0.5
	emptyDatabase = 12.0
	emptyMemory   = 165.0 // of the process, with the pages of the program
	regionMemory  = 100.0 // of a region that is transformed
	mostBuffered  = 93.0  // of the rows of a region
	mostBuilt     = 450.0 // the same of all regions, by steps of the build that run beside each other
	mostSorted    = 512.0 // ingest/formats/geoparquet
	megabyte      = 1 << 20
)

// Of predicts what a step needs; last is what it needed in the last run, whose Input is 0 if it is not known.
func (s Step) Of(last Measured) Measured {
	m, written, rows := Measured{Seconds: emptySeconds}, emptyDatabase, 0.0
	if s.Phase == Build {
		m.Seconds, written = s.Takes.Time*emptySeconds, s.Takes.Disk*emptyDatabase
	}
	for _, kind := range slices.Sorted(maps.Keys(s.Reads)) {
		size := s.Reads[kind]
		r, kept := rateOf(kind), size.kept()
		each, n := rowRates[kind], rowsOf(kind, size)
		m.Input += size.Bytes
		switch s.Phase {
		case Ingest:
			rows, written = rows+n, written+r.staged*kept+each.staged*n
			m.Seconds += r.ingest*float64(size.Bytes)/megabyte + each.ingest*n
		case Lend: // the margins are small, but all streets and places are looked at
			m.Seconds += r.transform*kept/40 + each.lend*n
		case Transform:
			m.Seconds, written = m.Seconds+r.transform*kept+each.transform*n, written+r.derived*kept+each.derived*n
		case Build:
			time, disk := s.Takes.Time, s.Takes.Disk
			if each.places {
				time, disk = s.Takes.PlaceTime, s.Takes.PlaceDisk
			}
			m.Seconds, written = m.Seconds+time*(r.build*kept+each.build*n), written+disk*(r.release*kept+each.release*n)
		}
	}
	m.Rows, m.Bytes = int64(rows), int64(written*megabyte)
	if last.Input > 0 {
		scale := float64(m.Input) / float64(last.Input)
		m = Measured{Seconds: last.Seconds * scale, Rows: int64(float64(last.Rows) * scale),
			// What a step made and removed again is not in the last run's bytes.
			Bytes: cmp.Or(int64(float64(last.Bytes)*scale), m.Bytes), Input: m.Input}
	}
	return m
}

// Memory predicts the bytes that a build has in memory at once: by the regions that are read or transformed together, a number
// of them in their order, or by the rows of all regions of the release, or of what is built beside it.
func Memory(regions []Step, together int, built ...Step) int64 {
	read := make([]float64, len(regions))
	for i, s := range regions {
		for _, kind := range slices.Sorted(maps.Keys(s.Reads)) {
			read[i] += min(rowRates[kind].sorted*rowsOf(kind, s.Reads[kind]), mostSorted)
		}
	}
	need := max(largest(read, together), transforming(regions, together))
	for _, s := range built {
		need = max(need, byRows(s, func(r rowRate) float64 { return r.built })+buffersOf(s, mostBuilt))
	}
	return int64((emptyMemory + need) * megabyte)
}

// transforming is the most that regions need which are transformed together, in megabytes. What their rows need is there in
// the second half of the time of each, when destinations are snapped and access is computed.
func transforming(regions []Step, together int) (most float64) {
	if together < 1 {
		return 0
	}
	starts, ends := make([]float64, len(regions)), make([]float64, len(regions))
	free := make([]float64, together) // when each place is free
	for i, s := range regions {
		s.Phase = Transform
		slices.Sort(free)
		starts[i] = free[0]
		ends[i] = starts[i] + s.Of(Measured{}).Seconds
		free[0] = ends[i]
	}
	for _, now := range ends {
		sum := 0.0
		for i, s := range regions {
			if starts[i] < now && now <= ends[i] {
				sum += regionMemory
				if ends[i]-now <= (ends[i]-starts[i])/2 {
					sum += ofBytes(s) + ofRows(s) + buffersOf(s, mostBuffered)
				}
			}
		}
		most = max(most, sum)
	}
	return most
}

// ofBytes is the memory that the files of a step need, in megabytes.
func ofBytes(s Step) (need float64) {
	for _, kind := range slices.Sorted(maps.Keys(s.Reads)) {
		need += rateOf(kind).memory * s.Reads[kind].kept()
	}
	return need
}

// largest is the sum of the n largest numbers.
func largest(numbers []float64, n int) (sum float64) {
	slices.Sort(numbers)
	for _, number := range numbers[max(0, len(numbers)-n):] {
		sum += number
	}
	return sum
}

// ofRows is the memory that the rows of a region need in transform, in megabytes.
func ofRows(s Step) float64 {
	return byRows(s, func(r rowRate) float64 { return r.memory })
}

// buffersOf is the memory that databases keep of the rows of a step, most at most, in megabytes.
func buffersOf(s Step, most float64) float64 {
	return min(byRows(s, func(r rowRate) float64 { return r.buffered }), most)
}

// byRows is the sum of a rate over the rows of a step.
func byRows(s Step, of func(rowRate) float64) (sum float64) {
	for _, kind := range slices.Sorted(maps.Keys(s.Reads)) {
		sum += of(rowRates[kind]) * rowsOf(kind, s.Reads[kind])
	}
	return sum
}

// rowsOf is how many rows the sources of a kind have, if their headers do not say it by their bytes.
func rowsOf(kind string, size Size) float64 {
	if size.Rows > 0 {
		return float64(size.Rows)
	}
	return rateOf(kind).rows * float64(size.Bytes) / megabyte
}

func rateOf(kind string) rate { return cmp.Or(rates[kind], anyKind) }
