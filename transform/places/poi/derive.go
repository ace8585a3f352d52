package poi

import (
	"cmp"
	"context"
	"fmt"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"

	"quartier/schemas"
	"quartier/schemas/derived"
	"quartier/schemas/reason"
	"quartier/transform/issue"
)

// Result is the output of Derive.
type Result struct {
	POIs        []*POI // by key
	Brands      []Brand
	Merges      []Merge
	Issues      []issue.Issue
	Corrections []derived.Correction // that were applied, in their order
	Records     int                  // read
	mapping     *Mapping
}

// Counts is the number of POIs by category id.
func (r *Result) Counts() map[string]int {
	counts := map[string]int{}
	for _, p := range r.POIs {
		for i, c := range schemas.Categories {
			if p.categories.has(1 << i) {
				counts[c.ID]++
			}
		}
	}
	return counts
}

// chunk is the number of records that are handed to a worker together.
const chunk = 4096

// Derive computes the POIs of a region. read passes every record to its argument, in any order, and stops at the
// first error. places must be safe for concurrent use.
func Derive(ctx context.Context, rules []BrandRule, places Places, read func(func(Record) error) error) (Result, error) {
	mapping, err := NewMapping()
	if err != nil {
		return Result{}, err
	}
	cv := &converter{mapping: mapping, brands: newBrands(rules, mapping), places: places}
	result := Result{mapping: mapping}
	issues := issue.NewCounter("poi")
	list, err := cv.convertAll(ctx, read, issues, &result.Records)
	if err != nil {
		return Result{}, err
	}
	list = dropDuplicateKeys(list, func(p *POI) { issues.Add(issue.DuplicateKey, p.Key) })
	stops := slices.DeleteFunc(slices.Clone(list), func(p *POI) bool { return !p.stop })
	list = slices.DeleteFunc(list, func(p *POI) bool { return p.stop })
	result.POIs, result.Merges = merge(list)
	result.mergeStops(stops, issues)
	for _, p := range result.POIs {
		p.finish()
	}
	result.Brands = brandsOf(result.POIs)
	result.Issues = issues.Issues()
	return result, ctx.Err()
}

// batch is the output for one chunk.
type batch struct {
	pois   []*POI
	issues []skipped
}

type skipped struct {
	reason reason.Reason
	key    string
}

// convertAll computes the POIs of all records on all processors.
func (cv *converter) convertAll(ctx context.Context, read func(func(Record) error) error, issues *issue.Counter,
	count *int) ([]*POI, error) {
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
		return send(ctx, read, work, count)
	})
	var list []*POI
	collected := make(chan struct{})
	go func() {
		defer close(collected)
		for m := range done {
			list = append(list, m.pois...)
			for _, i := range m.issues {
				issues.Add(i.reason, i.key)
			}
		}
	}()
	err := workers.Wait()
	close(done)
	<-collected
	return list, err
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
		m.pois = append(m.pois, &p)
	}
	return m
}

// brandsOf lists the brands of the POIs by id. The name of a brand is that of its rule, else the most frequent one,
// else the first in alphabetical order.
func brandsOf(list []*POI) []Brand {
	times := map[Brand]int{}
	for _, p := range list {
		for _, b := range p.brands {
			times[b]++
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
