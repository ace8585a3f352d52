package jobs

import (
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/paulmach/orb"

	"quartier/ingest/formats/vector"
	"quartier/ingest/source"
	"quartier/schemas"
	"quartier/schemas/reason"
)

const (
	maxJobs    = 5_000_000 // of a row; the city of New York has some 4,800,000
	thousandth = 1000      // of a job
)

// madeOn is the column of LODES with the day on which the file was made, and firstOfLODES8 a day before all of LODES 8 and
// after all of LODES 7, of which the last was made in 2021.
const (
	madeOn        = "createdate"
	firstOfLODES8 = "20220101"
)

// tooOld is what is wrong with the date of a row of LODES; "" if nothing is.
func (o *Options) tooOld(f vector.Feature) string {
	made := f.Value(madeOn)
	if o.Layout != lodes || made == "" || made >= firstOfLODES8 {
		return ""
	}
	return fmt.Sprintf("its %s is %s: it is of LODES 7 or before, by the census blocks of 2010 or 2000; take LODES 8", madeOn, made)
}

// row returns the jobs of a row, or why it has none.
func (o *Options) row(f vector.Feature, sourceID string, out source.Sink) (j source.Job, why reason.Reason) {
	if !f.Fault.OK() {
		return j, f.Fault
	}
	if j.SourceKey, why = o.key(f, sourceID); !why.OK() {
		return j, why
	}
	column := slices.IndexFunc(o.Jobs, func(name string) bool { return f.Value(name) != "" })
	if column < 0 {
		return j, noJobs
	}
	all, ok := o.number(f, o.Jobs[column])
	switch {
	case !ok:
		return j, invalidJobs
	case all < 0:
		return j, source.NegativeCount
	case all == 0:
		return j, noJobs
	}
	j.Jobs = all
	if o.Scheme == "" {
		p, why := point(f)
		if !why.OK() {
			return j, why
		}
		j.Lng, j.Lat = &p[0], &p[1]
	}
	where := f.Where(j.SourceKey)
	j.Sectors, j.Earnings = o.parts(f, o.Sectors, all, "sectors", where, out), o.parts(f, o.Earnings, all, "earnings", where, out)
	if code := f.Value(o.Sector); o.Sector != "" && code != "" {
		if sector := sectorOf(code); sector >= 0 {
			in := make([]int64, len(schemas.JobSectors))
			in[sector] = all
			j.Sectors = list(in)
		} else {
			out.Issue(sectorRemoved, where+": "+code)
		}
	}
	return j, why
}

// number reads jobs in thousandths; false for what is not a number or more than maxJobs.
func (o *Options) number(f vector.Feature, name string) (n int64, ok bool) {
	value, ok := f.Number(name, o.Decimal)
	if !ok || math.IsNaN(value) || math.Abs(value) > maxJobs {
		return 0, false
	}
	return int64(math.Round(value * thousandth)), true
}

// parts are the jobs by sector or earnings, as JSON; "" where the row has none, or not all that add up to all jobs.
func (o *Options) parts(f vector.Feature, names source.List, all int64, which, where string, out source.Sink) string {
	parts, sum, known := make([]int64, len(names)), int64(0), 0
	valid := true
	for i, name := range names {
		if f.Value(name) == "" {
			continue
		}
		n, ok := o.number(f, name)
		parts[i], sum, known, valid = n, sum+n, known+1, valid && ok && n >= 0
	}
	switch {
	case known == 0:
		return ""
	case !valid || sum != all:
		out.Issue(partRemoved.With(which), where)
		return ""
	}
	return list(parts)
}

func list(parts []int64) string {
	text, _ := json.Marshal(parts) // numbers never fail
	return string(text)
}

// sectorOf is the index in schemas.JobSectors of a code of NAICS; -1 for another text.
func sectorOf(code string) int {
	if len(code) < 2 {
		return -1
	}
	return slices.IndexFunc(schemas.JobSectors, func(sector string) bool {
		first, last, several := strings.Cut(sector, "-")
		return code[:2] == first || several && code[:2] > first && code[:2] <= last
	})
}

// point is the position of a row of points.
func point(f vector.Feature) (orb.Point, reason.Reason) {
	switch g := f.Geometry.(type) {
	case orb.Point:
		return g, reason.Reason{}
	case orb.MultiPoint:
		if len(g) == 1 {
			return g[0], reason.Reason{}
		}
	case nil:
		return orb.Point{}, source.MissingGeometry
	}
	return orb.Point{}, source.WrongGeometryType
}

// digits are those of the keys of a scheme.
var digits = map[string]int{"census:block": 15, "census:bg": 12, "census:tract": 11, "statcan:db": 11, "statcan:da": 8}

// dguid is a DGUID of a dissemination area or block; other areas have other schemas.
var (
	dguid      = regexp.MustCompile(`^\d{4}(S0512|S0513)(\d+)$`)
	anyDGUID   = regexp.MustCompile(`^\d{4}[A-Z]\d{4}`)
	schemeByID = map[string]string{"S0512": "statcan:da", "S0513": "statcan:db"}
	whole      = regexp.MustCompile(`^\d+$`)
)

// key is that of the row with its scheme.
func (o *Options) key(f vector.Feature, sourceID string) (string, reason.Reason) {
	key, scheme := f.Key(o.Key), o.Scheme
	switch {
	case key == "":
		return "", source.MissingKey
	case scheme == "":
		return sourceID + ":" + key, reason.Reason{}
	case scheme == "statcan:dguid":
		parts := dguid.FindStringSubmatch(key)
		if parts == nil && anyDGUID.MatchString(key) {
			return "", source.UnreadSummaryLevel
		} else if parts == nil {
			return "", invalidArea
		}
		key, scheme = parts[2], schemeByID[parts[1]]
	}
	if len(key) == digits[scheme]-1 && strings.HasPrefix(scheme, "census:") {
		key = "0" + key // of the number of a state
	}
	if len(key) != digits[scheme] || !whole.MatchString(key) {
		return "", invalidArea
	}
	return scheme + ":" + key, reason.Reason{}
}
