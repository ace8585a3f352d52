package scores

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"quartier/build/assembly"
	"quartier/build/homes"
	"quartier/internal/duck"
	"quartier/internal/pack/access"
	"quartier/schemas"
	"quartier/schemas/calibration"
	"quartier/schemas/derived"
)

// ErrCollapsed is returned for a region of which the scale of a score is collapsed and the region file does not accept it.
var ErrCollapsed = errors.New("collapsed scale")

// Survey is how the scores are spread over the homes of each region, and how far channels that must agree do.
type Survey struct {
	Spreads    []schemas.ScoreSpread
	Agreements []schemas.Agreement
}

// Err is an ErrCollapsed that names all collapsed scales that no region file accepts; nil if there are none.
func (s *Survey) Err() error {
	var names []string
	for _, v := range s.Spreads {
		if v.Collapsed != "" && v.Accepted == "" {
			names = append(names, fmt.Sprintf("region %s: %s: %s", v.Region, v.Score, v.Collapsed))
		}
	}
	if names == nil {
		return nil
	}
	return fmt.Errorf("%w: %s", ErrCollapsed, strings.Join(names, "; "))
}

// NewSurvey computes the survey of all regions with streets.
func NewSurvey(ctx context.Context, a *assembly.Assembly, c *calibration.Calibration) (*Survey, error) {
	survey := &Survey{}
	at := 0
	regions := a.Regions()
	err := a.EachRegion(func(name string, db *duck.DB) error {
		region := &regions[at]
		at++
		rows, err := readResidents(ctx, db, c)
		if err != nil || len(rows.weights) == 0 {
			return err
		}
		for i, score := range schemas.Scores {
			v := rows.spread(&c.Spread, schemas.FirstScore+schemas.Channel(i))
			v.Region, v.Score, v.Accepted = name, score.ID, region.AcceptCollapsed[score.ID]
			survey.Spreads = append(survey.Spreads, v)
		}
		for i := range c.Spread.Agree {
			v, known := rows.agreement(&c.Spread, &c.Spread.Agree[i])
			if v.Region = name; known {
				v.Accepted = region.AcceptDisagreement[v.Pair()]
				survey.Agreements = append(survey.Agreements, v)
			}
		}
		return nil
	})
	return survey, err
}

// residents are the channels where the homes of a region are, or at all nodes of a region without homes.
type residents struct {
	weights []int64 // thousandths of a household; 1000 for a node
	values  [][schemas.ChannelCount]uint16
}

func (r *residents) add(weight float64, a, b []byte, share float64) {
	var values [schemas.ChannelCount]uint16
	for c := range values {
		values[c] = access.Between(binary.LittleEndian.Uint16(a[2*c:]), binary.LittleEndian.Uint16(b[2*c:]), share)
	}
	r.weights, r.values = append(r.weights, max(int64(math.Round(weight*1000)), 1)), append(r.values, values)
}

// readResidents reads the homes of a region. A home of a residential street without counts stands for as many households as
// usually live along its length.
func readResidents(ctx context.Context, db *duck.DB, c *calibration.Calibration) (*residents, error) {
	r := &residents{}
	perMetre := c.Known.PeoplePer10KM / 10_000 / c.Demographics.Ground.HouseholdSize
	err := homes.Each(ctx, db, func(h *homes.OnEdge) error {
		weight := h.Weight
		if h.Basis == homes.Streets {
			weight *= perMetre
		}
		r.add(weight, h.ChannelsA, h.ChannelsB, h.ShareAlong())
		return nil
	})
	if err != nil || len(r.weights) > 0 {
		return r, err
	}
	return r, assembly.EachNumbered(ctx, db, "street_node", "node", "", func(_ int64, n *derived.StreetNode) error {
		if len(n.Channels) != 2*schemas.ChannelCount {
			return fmt.Errorf("is at %v, %v with %d bytes of channels", n.Lng, n.Lat, len(n.Channels))
		}
		r.add(1, n.Channels, n.Channels, 0)
		return nil
	})
}

// spread is the spread of a channel, without its name.
func (r *residents) spread(c *calibration.Spread, channel schemas.Channel) (v schemas.ScoreSpread) {
	order, all, known := r.sorted(channel)
	v.Homes, v.Known = all/1000, known/1000
	if known == 0 {
		return v
	}
	var steps [schemas.HalfPoints]int64
	quantiles, next, sum := []*float64{&v.P10, &v.P50, &v.P90}, 0, int64(0)
	for _, i := range order {
		value := r.values[i][channel]
		sum += r.weights[i]
		for ; next < len(quantiles) && 100*sum >= []int64{10, 50, 90}[next]*known; next++ {
			*quantiles[next] = hundredths(value)
		}
		steps[halfPoint(value)] += r.weights[i]
	}
	v.Low, v.High = hundredths(r.values[order[0]][channel]), hundredths(r.values[order[len(order)-1]][channel])
	for i, n := range steps {
		v.Steps[i] = math.Round(1e4*float64(n)/float64(known)) / 1e4
	}
	if v.Known >= c.MinHomes {
		v.Collapsed = collapse(c, &v)
	}
	return v
}

// collapse is why a scale is collapsed; "" if it is not.
func collapse(c *calibration.Spread, v *schemas.ScoreSpread) string {
	for i, share := range v.Steps {
		if share > c.StepShare {
			return fmt.Sprintf("%.1f holds %.0f %% of the homes, more than %.0f %%", float64(i)/2, 100*share, 100*c.StepShare)
		}
	}
	switch {
	case v.Low >= c.Bottom:
		return fmt.Sprintf("the lowest of its homes has %.2f, and none is below %.1f", v.Low, c.Bottom)
	case v.High <= c.Top:
		return fmt.Sprintf("the highest of its homes has %.2f, and none is above %.1f", v.High, c.Top)
	}
	return ""
}

// CheckSpread returns an error where the parts of a spread contradict each other.
func CheckSpread(c *calibration.Spread, v *schemas.ScoreSpread) error {
	bad := func(format string, args ...any) error {
		return fmt.Errorf("spread of %s of region %s: %w", v.Score, v.Region, fmt.Errorf(format, args...))
	}
	sum := 0.0
	for _, share := range v.Steps {
		sum += share
	}
	collapsed := ""
	if v.Known >= c.MinHomes {
		collapsed = collapse(c, v)
	}
	switch {
	case v.Known > 0 && math.Abs(sum-1) > stepTolerance,
		v.Known == 0 && *v != schemas.ScoreSpread{Region: v.Region, Score: v.Score, Homes: v.Homes, Accepted: v.Accepted}:
		return bad("%d homes have shares of %v", v.Known, v.Steps)
	case collapsed != v.Collapsed:
		return bad("collapsed is %q, and should be %q", v.Collapsed, collapsed)
	}
	for _, p := range []struct{ share, value float64 }{{0, v.Low}, {.1, v.P10}, {.5, v.P50}, {.9, v.P90}, {1, v.High}} {
		if v.Known > 0 && !fits(v, p.share, p.value) {
			return bad("%.0f %% of the homes have up to %v, and shares are %v", 100*p.share, p.value, v.Steps)
		}
	}
	return nil
}

// stepTolerance is how far a sum of shares of half points may be off: each is rounded to four decimals.
const stepTolerance = 1e-3

// fits reports whether a share of the homes may have up to a value, which is rounded to hundredths, by the shares of half
// points. For example, with a half of the homes at 1.0 and a half at 1.5, the median is from 0.75 up to 1.25.
func fits(v *schemas.ScoreSpread, share, value float64) bool {
	below := 0.0
	for step, here := range v.Steps {
		middle := float64(step) / 2
		if math.Abs(value-middle) <= 0.255 && below <= share+stepTolerance && share <= below+here+stepTolerance {
			return true
		}
		below += here
	}
	return false
}

// agreement is how far two channels agree; false if no home has both.
func (r *residents) agreement(c *calibration.Spread, pair *calibration.Agreement) (v schemas.Agreement, ok bool) {
	a, b := schemas.MustChannel(pair.A), schemas.MustChannel(pair.B)
	both := &residents{}
	for i, values := range r.values {
		if values[a] != schemas.AbsentValue && values[b] != schemas.AbsentValue {
			both.weights, both.values = append(both.weights, r.weights[i]), append(both.values, values)
		}
	}
	if len(both.weights) == 0 {
		return v, false
	}
	rank := correlation(both.weights, both.ranks(a), both.ranks(b))
	if pair.Opposite {
		rank = -rank
	}
	total := int64(0)
	for _, w := range both.weights {
		total += w
	}
	return schemas.Agreement{A: pair.A, B: pair.B, Homes: total / 1000, Rank: math.Round(100*rank)/100 + 0, Least: pair.Least,
		Judged: total/1000 >= c.MinHomes}, true
}

// sorted are the residents with a channel by its value, the weight of all and that of those.
func (r *residents) sorted(channel schemas.Channel) (order []int, all, known int64) {
	for i := range r.values {
		all += r.weights[i]
		if r.values[i][channel] != schemas.AbsentValue {
			order, known = append(order, i), known+r.weights[i]
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(r.values[a][channel], r.values[b][channel]) })
	return order, all, known
}

// ranks are the ranks of residents who all have a channel: the weight of those with less and half of the weight of those
// with as much.
func (r *residents) ranks(channel schemas.Channel) []float64 {
	order, _, _ := r.sorted(channel)
	ranks := make([]float64, len(order))
	below := int64(0)
	for first := 0; first < len(order); {
		end, weight := first, int64(0)
		for ; end < len(order) && r.values[order[end]][channel] == r.values[order[first]][channel]; end++ {
			weight += r.weights[order[end]]
		}
		for _, i := range order[first:end] {
			ranks[i] = float64(below) + float64(weight)/2
		}
		below, first = below+weight, end
	}
	return ranks
}

// correlation is the weighted correlation of two variables; 0 if one is the same everywhere.
func correlation(weights []int64, x, y []float64) float64 {
	var w, mx, my, xx, yy, xy float64
	for i := range x {
		n := float64(weights[i])
		w, mx, my = w+n, mx+n*x[i], my+n*y[i]
	}
	mx, my = mx/w, my/w
	for i := range x {
		n, dx, dy := float64(weights[i]), x[i]-mx, y[i]-my
		xx, yy, xy = xx+n*dx*dx, yy+n*dy*dy, xy+n*dx*dy
	}
	if xx == 0 || yy == 0 {
		return 0
	}
	return max(-1, min(1, xy/math.Sqrt(xx*yy)))
}

func hundredths(value uint16) float64 {
	return math.Round(float64(value)*100/schemas.UnitValue) / 100
}

// halfPoint is the number of the half point that a value is displayed as.
func halfPoint(value uint16) int {
	return min(int((uint32(value)+schemas.UnitValue/4)/(schemas.UnitValue/2)), schemas.HalfPoints-1)
}
