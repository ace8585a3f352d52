package explain

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/paulmach/orb"

	"quartier/internal/network"
	"quartier/internal/rating"
	"quartier/internal/wording"
	"quartier/schemas"
	"quartier/schemas/calibration"
	"quartier/schemas/scoretexts"
)

// Explain explains channels at a point. It fails with ErrNoStreet if no street is near enough for values to be served.
func (r *Reader) Explain(ctx context.Context, lng, lat float64, channels []schemas.Channel) (*Report, error) {
	l, err := r.locate(ctx, orb.Point{lng, lat})
	if err != nil {
		return nil, err
	}
	for _, c := range channels {
		l.requested[c] = true
	}
	m, w := r.manifest, r.c.Walking
	report := &Report{
		Release: Release{m.Release, m.AsOf, m.Digest}, Point: Point{lng, lat}, Street: l.street, Calibration: r.c.Version, Notes: l.notes,
		Values: []Explanation{},
		Walking: []Constant{newConstant("full credit to", number(math.Round(w.FullCreditM))+" m", "walking.full_credit_m"),
			newConstant("none from", number(math.Round(w.NoCreditM))+" m", "walking.no_credit_m"),
			newConstant("between", "a polynomial", "walking.decay"),
			newConstant("walking", number(w.MetresAMinute)+" m/min", "walking.metres_a_minute")},
	}
	if l.beeline != nil {
		report.Walking = append(report.Walking, newConstant("bounded by", number(w.Detour)+" times the straight line", "walking.detour"))
	}
	for _, c := range channels {
		x, err := l.explain(c)
		if err != nil {
			return nil, fmt.Errorf("explain %s: %w", schemas.ChannelName(c), err)
		}
		report.Values = append(report.Values, *x)
	}
	report.Sources = r.sources(l.used)
	return report, nil
}

// explain explains a channel: it evaluates the channel's formula with a trace and reports what was recorded.
func (l *location) explain(c schemas.Channel) (*Explanation, error) {
	x := l.newExplanation(c)
	f := l.formula(c)
	if measure, ok := rating.SameAs[x.Name]; ok {
		x.Remarks = append(x.Remarks, l.text(wording.Say("same_measure", wording.Symbol(measure))))
	}
	var t rating.Trace
	f.value(0, &t)
	l.record(x, &t, f)
	if x.Served == nil {
		x.Absent, x.Unknown = l.text(l.whyAbsent(f)), l.unknown(c)
		return x, l.err
	}
	l.recompute(x, f)
	for _, remark := range f.remarks {
		x.Remarks = append(x.Remarks, l.text(remark))
	}
	if f.finish != nil {
		f.finish(x)
	}
	for _, below := range l.measuresOf(&t) {
		under, err := l.explain(below)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", schemas.ChannelName(below), err)
		}
		x.Under = append(x.Under, *under)
	}
	return x, l.err
}

// whyAbsent is why a value is absent: its class of places is unknown, it looks too far beyond the edge of the data, or what
// its formula says.
func (l *location) whyAbsent(f *formula) *wording.Line {
	unknown := l.coverage.none() || f.absent.Is("class_unknown", "heard_class_unknown", "heard_unknown")
	if l.pastEdge > 0 && l.pastEdge <= l.r.c.Coverage.MaxBeyond && !unknown {
		return wording.Say("edge_spread", l.r.c.Coverage.MaxSpread)
	}
	if l.pastEdge > 0 && !unknown {
		return wording.Say("edge_beyond", 100*l.pastEdge, 100*l.r.c.Coverage.MaxBeyond)
	}
	return cmp.Or(f.absent, l.noDataReason())
}

// measuresOf are the measures in the formulas of a trace that have values and are not explained anyway.
func (l *location) measuresOf(t *rating.Trace) (channels []schemas.Channel) {
	for i := range t.Steps {
		for _, v := range t.Steps[i].Vars {
			c, ok := schemas.ChannelOf(v.Symbol)
			if ok && slices.Contains(rating.InputMeasures, c) && !l.requested[c] && l.served[c] != schemas.AbsentValue {
				channels = append(channels, c)
			}
		}
	}
	return channels
}

// newExplanation is what is served of a channel.
func (l *location) newExplanation(c schemas.Channel) *Explanation {
	x := &Explanation{Name: schemas.ChannelName(c)}
	if v := l.served[c]; v != schemas.AbsentValue {
		x.Served = &Served{Value: decimal(v)}
		if c >= schemas.FirstScore {
			half := (v + schemas.Step/2) / schemas.Step * schemas.Step
			text, rounded := scoretexts.Of(int(c-schemas.FirstScore), half), decimal(half)
			x.Served.Rounded, x.Served.Text = &rounded, &text
		}
	}
	if c >= schemas.FirstScore {
		x.Label = &schemas.Scores[c-schemas.FirstScore].Label
	} else if slices.Contains(rating.InputMeasures, c) {
		x.Label = &schemas.Measures[c].Label
	}
	for i := range l.ends {
		if v := l.ends[i][c]; v != schemas.AbsentValue {
			at := decimal(v)
			x.Nodes[i] = &at
		}
	}
	return x
}

// recompute evaluates the formula with the distances from the street, as values are served, and with the access leg
// from the requested point added to them.
func (l *location) recompute(x *Explanation, f *formula) {
	if x.NotRecomputed = l.text(f.notRecomputed); x.NotRecomputed != "" {
		return
	}
	street, door := f.value(0, nil), f.value(network.Metres(l.spot.LegM), nil)
	if math.IsNaN(street) || math.IsNaN(door) {
		x.NotRecomputed = l.text(wording.Say("lacks_quantities"))
		return
	}
	x.Recomputed = &Recomputed{round(street, 4), round(door, 4)}
}

// record reports a trace: formulas with symbols and, if there is a value, with numbers, constants, parts and places.
func (l *location) record(x *Explanation, t *rating.Trace, f *formula) {
	seen := map[string]bool{}
	x.write(l.r.language, t.Steps)
	for i := range t.Steps {
		s := &t.Steps[i]
		for _, v := range s.Vars {
			if v.Path != "" && !seen[v.Path+v.Symbol] {
				seen[v.Path+v.Symbol] = true
				x.Constants = append(x.Constants, newConstant(v.Symbol, v.Text(), v.Path))
			}
		}
	}
	for _, p := range t.Parts {
		x.Parts = append(x.Parts, newPart(l.r.language, p, t.Steps, x.Served != nil))
	}
	if x.Served != nil {
		x.Places = l.rows(f.lists, t.Terms)
	}
}

// write writes the steps, and joins their formulas and their numbers.
func (x *Explanation) write(in wording.Language, steps []rating.Step) {
	between, after := ", ", "; "
	if in == wording.French {
		between, after = " ; ", " ; "
	}
	x.Steps = make([]Step, len(steps))
	for i := range steps {
		s := &steps[i]
		step := Step{Formula: s.Text(in)}
		if !math.IsInf(s.Value, 0) { // the distance to a place that is not there
			step.Value = known(s.Value)
		}
		x.Formula = joined(step.Formula, between, x.Formula) // the value first, then what it is made of
		if x.Served != nil {
			step.Worked = s.Worked(in)
			x.Worked = joined(x.Worked, after, step.Worked)
		}
		x.Steps[len(steps)-1-i] = step
	}
}

func joined(a, separator, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + separator + b
}

// text is a line in the language of the report.
func (l *location) text(line *wording.Line) string { return l.r.language.Text(line) }

// newPart describes a part of a value, which is served or absent: by the step that computed it, else as a channel.
func newPart(in wording.Language, p rating.Part, steps []rating.Step, served bool) Part {
	part := Part{Name: in.Symbol(p.Name), Value: known(p.Value), Weight: round(p.Weight, 4)}
	if p.Classes != nil {
		part.Name = in.Classes(p.Classes)
	}
	if p.Weight != 0 || p.Share != 0 {
		part.Part = known(p.Share)
	}
	var of *wording.Line
	_, isChannel := schemas.ChannelOf(p.Name)
	switch {
	case part.Value == nil && (p.Estimated || p.Weight > 0 && !served):
		of = wording.Say("no_data")
	case p.Estimated:
		of = wording.Say("no_data_estimated")
	case part.Value == nil && p.Weight > 0:
		of = wording.Say("no_data_others")
	case isChannel && !p.Count:
		of = wording.Say("as_served")
	}
	part.Of = in.Text(of)
	for i := range steps {
		if s := &steps[i]; p.Name != "" && s.Symbol == p.Name && part.Value != nil && !p.Estimated {
			part.Of = cmp.Or(s.Filled(in), in.Text(s.Formula))
		}
	}
	part.Of = joined(in.Text(p.Of), ", ", part.Of)
	return part
}

// newConstant is a number of the calibration with its mark.
func newConstant(symbol, value, path string) Constant {
	mark := calibration.MarkOf(path)
	return Constant{symbol, value, path, mark.Letter, mark.Reason}
}
