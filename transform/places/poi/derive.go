package poi

import (
	"cmp"
	"context"
	"fmt"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"

	"quartier/internal/sorter"
	"quartier/schemas"
	"quartier/schemas/derived"
	"quartier/schemas/reason"
	"quartier/transform/issue"
)

// Result is the output of Derive. Close must be called in the end.
type Result struct {
	Brands      []Brand
	Issues      []issue.Issue
	Corrections []derived.Correction // that were applied, in their order
	Records     int                  // read
	mapping     *Mapping
	places      *places
}

// Close removes the temporary file of the POIs.
func (r *Result) Close() error { return r.places.Close() }

// Counts is the number of POIs, of records that were merged into them, and of POIs by category id.
func (r *Result) Counts() (pois, merges int, byCategory map[string]int) {
	byCategory = map[string]int{}
	for i := range r.places.list {
		p := &r.places.list[i]
		if r.places.isMerged(p) {
			merges++
		}
		if p.into != kept {
			continue
		}
		pois++
		for i, c := range schemas.Categories {
			if p.categories.has(1 << i) {
				byCategory[c.ID]++
			}
		}
	}
	return pois, merges, byCategory
}

// chunk is the number of records that are handed to a worker together.
const chunk = 4096

// sortRoom is how many bytes of POIs are sorted in memory.
const sortRoom = 64 << 20

// Derive computes the POIs of a region. read passes every record to its argument, in any order, and stops at the
// first error. places must be safe for concurrent use. Temporary files are in dir.
func Derive(ctx context.Context, dir string, rules []BrandRule, places Places, read func(func(Record) error) error) (*Result, error) {
	mapping, err := NewMapping()
	if err != nil {
		return nil, err
	}
	cv := &converter{mapping: mapping, brands: newBrands(rules, mapping), places: places}
	result := &Result{mapping: mapping}
	issues := issue.NewCounter("poi")
	list := sorter.New(dir, sortRoom, compareRows)
	defer list.Close()
	count, nameBytes, err := cv.convertAll(ctx, read, list, issues, &result.Records)
	if err != nil {
		return nil, err
	}
	duplicate := func(p *POI) { issues.Add(issue.DuplicateKey, p.Key) }
	if result.places, err = newPlaces(dir, list, count, nameBytes, duplicate); err != nil {
		return nil, err
	}
	result.places.merge()
	result.places.mergeStops(issues)
	result.Brands = result.places.brandsOf()
	result.Issues = issues.Issues()
	if err := cmp.Or(result.places.err, ctx.Err()); err != nil {
		result.Close()
		return nil, err
	}
	return result, nil
}

// batch is the output for one chunk.
type batch struct {
	pois      [][]byte // encoded
	nameBytes int      // of their name keys
	issues    []skipped
}

type skipped struct {
	reason reason.Reason
	key    string
}

// convertAll computes the POIs of all records on all processors, and adds them to list, with their number and the bytes of their name
// keys.
func (cv *converter) convertAll(ctx context.Context, read func(func(Record) error) error, list *sorter.Sorter, issues *issue.Counter,
	records *int) (count, nameBytes int, err error) {
	workers, ctx := errgroup.WithContext(ctx)
	work, done := make(chan []Record), make(chan batch)
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() error {
			for records := range work {
				select {
				case done <- cv.convertChunk(records):
				case <-ctx.Done():
					return ctx.Err()
				}
			}
			return nil
		})
	}
	workers.Go(func() error {
		defer close(work)
		return send(ctx, read, work, records)
	})
	var full error // of adding to list
	collected := make(chan struct{})
	go func() {
		defer close(collected)
		for m := range done {
			for _, row := range m.pois {
				full = cmp.Or(full, list.Add(row))
			}
			count, nameBytes = count+len(m.pois), nameBytes+m.nameBytes
			for _, i := range m.issues {
				issues.Add(i.reason, i.key)
			}
		}
	}()
	err = workers.Wait()
	close(done)
	<-collected
	return count, nameBytes, cmp.Or(err, full)
}

// send reads the records and passes them on in chunks.
func send(ctx context.Context, read func(func(Record) error) error, work chan<- []Record, count *int) error {
	pass := func(records []Record) error {
		select {
		case work <- records:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	var records []Record
	err := read(func(r Record) error {
		*count++
		records = append(records, r)
		if len(records) < chunk {
			return nil
		}
		full := records
		records = make([]Record, 0, chunk)
		return pass(full)
	})
	if err != nil {
		return err
	}
	return pass(records)
}

func (cv *converter) convertChunk(records []Record) batch {
	var m batch
	for i := range records {
		p, why := cv.convert(&records[i])
		if !why.OK() {
			m.issues = append(m.issues, skipped{why, fmt.Sprintf("%s of %s", records[i].Key, records[i].Source)})
			continue
		}
		m.pois, m.nameBytes = append(m.pois, p.encode(nil)), m.nameBytes+len(p.name)
	}
	return m
}

// brandsOf lists the brands of the places by id. The name of a brand is that of its rule, else the most frequent one,
// else the first in alphabetical order.
func (s *places) brandsOf() []Brand {
	times := map[Brand]int{}
	for i := range s.list {
		if p := &s.list[i]; p.into == kept && p.brand >= 0 {
			times[s.brands[p.brand]]++
		}
	}
	all := make([]Brand, 0, len(times))
	for b := range times {
		all = append(all, b)
	}
	slices.SortFunc(all, func(a, b Brand) int {
		order := 0
		if a.fromRule != b.fromRule {
			order = 1
			if a.fromRule {
				order = -1
			}
		}
		return cmp.Or(cmp.Compare(a.ID, b.ID), order, cmp.Compare(times[b], times[a]), cmp.Compare(a.Name, b.Name))
	})
	return slices.CompactFunc(all, func(a, b Brand) bool { return a.ID == b.ID })
}
