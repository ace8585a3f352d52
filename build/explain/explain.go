package explain

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/paulmach/orb"

	"quartier/build/released"
	"quartier/internal/network"
	"quartier/internal/pack/access"
	"quartier/schemas"
)

// origin is the place on a street that values are explained at.
type origin struct {
	r      *Reader
	ctx    context.Context // of the one call that it lives in
	point  orb.Point       // asked for
	at     orb.Point       // where one comes to the street
	spot   access.Spot
	edge   uint32 // in the pack
	along  network.Distance
	street Street
	ends   [2][schemas.ChannelCount]uint16
	served [schemas.ChannelCount]uint16
	ground ground
	notes  []string
	area   *area
	used   map[[2]string]bool // region and source of what was told
	asked  map[string]bool    // channels that the report has anyway

	timetables map[string]bool // channels that some timetable of the region tells; nil: not read
}

// Explain explains channels at a point. It fails with ErrNoStreet where nothing is served for want of a street.
func (r *Reader) Explain(ctx context.Context, lng, lat float64, channels []schemas.Channel) (*Report, error) {
	o, err := r.locate(ctx, orb.Point{lng, lat})
	if err != nil {
		return nil, err
	}
	for _, c := range channels {
		o.asked[schemas.ChannelName(c)] = true
	}
	m := r.manifest
	report := &Report{
		Release: Release{m.Release, m.AsOf, m.Digest}, Point: Point{lng, lat}, Street: o.street, Calibration: r.c.Version, Notes: o.notes,
		Values: []Explanation{},
		Walking: constants("full credit to", fmt.Sprintf("%.0f m", r.c.Walking.FullCreditM), "walking.full_credit_m",
			"none from", fmt.Sprintf("%.0f m", r.c.Walking.NoCreditM), "walking.no_credit_m",
			"between", "a polynomial", "walking.decay", "a minute for", number(r.c.Walking.MetresAMinute)+" m", "walking.metres_a_minute"),
	}
	for _, c := range channels {
		x, err := o.explain(c)
		if err != nil {
			return nil, fmt.Errorf("explain %s: %w", schemas.ChannelName(c), err)
		}
		report.Values = append(report.Values, *x)
	}
	report.Sources = r.sources(o.used)
	return report, nil
}

// locate finds the street as the server does.
func (r *Reader) locate(ctx context.Context, p orb.Point) (*origin, error) {
	o := &origin{r: r, ctx: ctx, point: p, used: map[[2]string]bool{}, asked: map[string]bool{}}
	var found bool
	if o.spot, found = r.table.Locate(p[0], p[1]); !found {
		return nil, o.nowhere()
	}
	edge := r.table.Edge(o.spot.Edge)
	length := network.Metres(edge.LengthM)
	o.edge, o.along = o.spot.Edge, network.Distance(math.Round(o.spot.Share*float64(length)))
	r.table.NodeValues(edge.A, &o.ends[0])
	r.table.NodeValues(edge.B, &o.ends[1])
	r.table.Values(o.spot, &o.served)
	if err := o.readStreet(edge); err != nil {
		return nil, err
	}
	o.notes = r.notes(o.street.Region)
	o.ground = newGround(o.notes)
	return o, nil
}

func (o *origin) readStreet(edge access.Edge) error {
	var blob []byte
	s := &o.street
	err := o.r.db.QueryRow("SELECT fid, region, class, coalesce(name, name_fr, ''), source_id, source_key, geometry FROM street_edge WHERE fid = ?",
		int64(o.edge)+1).Scan(&s.Edge, &s.Region, &s.Class, &s.Name, &s.SourceID, &s.SourceKey, &blob)
	if err != nil {
		return fmt.Errorf("read street_edge %d: %w", o.edge+1, err)
	}
	line, err := released.ReadLine(blob)
	if err == nil && len(line) == 0 {
		err = errors.New("a line without vertices")
	}
	if err != nil {
		return fmt.Errorf("street_edge %d: %w", o.edge+1, err)
	}
	o.at = alongLine(line, o.spot.Share)
	o.used[[2]string{s.Region, s.SourceID}] = true
	s.LengthM, s.LegM, s.At = edge.LengthM, o.spot.LegM, Point{round(o.at[0], 7), round(o.at[1], 7)}
	s.Nodes = [2]Node{
		{int64(edge.A) + 1, round(o.along.Metres(), 1), round(1-o.spot.Share, 4)},
		{int64(edge.B) + 1, round(edge.LengthM-o.along.Metres(), 1), round(o.spot.Share, 4)},
	}
	s.Remark, err = o.nearerStreet()
	return err
}

// explain explains a channel.
func (o *origin) explain(c schemas.Channel) (*Explanation, error) {
	x := &Explanation{Name: schemas.ChannelName(c)}
	if v := o.served[c]; v != schemas.AbsentValue {
		x.Served = &Served{Value: decimal(v)}
		if c >= schemas.FirstScore {
			half := (v + schemas.UnitValue/4) / (schemas.UnitValue / 2) * (schemas.UnitValue / 2)
			text, rounded := schemas.ScoreText(int(c-schemas.FirstScore), half), decimal(half)
			x.Served.Rounded, x.Served.Text = &rounded, &text
		}
	}
	if c >= schemas.FirstScore {
		x.Label = &schemas.Scores[c-schemas.FirstScore].Label
	}
	for i := range o.ends {
		if v := o.ends[i][c]; v != schemas.AbsentValue {
			at := decimal(v)
			x.Nodes[i] = &at
		}
	}
	if err := o.recipe(x.Name)(x); err != nil {
		return nil, err
	}
	if x.Served == nil && x.Absent == "" {
		x.Absent = o.noGround()
	}
	return x, nil
}

// noGround is why something is absent that the sources know of elsewhere.
func (o *origin) noGround() string {
	if o.ground.nothing {
		return o.ground.note
	}
	return fmt.Sprintf("no place that the sources know lies within %s m straight of here, so that none means unknown", number(o.r.c.Coverage.NearM))
}

// anew works a value out: of ways from the street, and of ways that are longer by so many metres.
func (o *origin) anew(x *Explanation, value func(farther network.Distance) float64) {
	if x.Served == nil {
		return
	}
	street, door := value(0), value(network.Metres(o.spot.LegM))
	if !math.IsNaN(street) && !math.IsNaN(door) {
		x.Anew = &Anew{round(street, 4), round(door, 4)}
	}
}

// value is a channel as served here, NaN where it is absent.
func (o *origin) value(name string) float64 {
	if c, ok := schemas.ChannelOf(name); ok && o.served[c] != schemas.AbsentValue {
		return decimal(o.served[c])
	}
	return math.NaN()
}

func decimal(v uint16) float64 { return float64(v) / schemas.UnitValue }

// alongLine is the point at a share of a line's length.
func alongLine(line orb.LineString, share float64) orb.Point {
	lengths, whole := make([]float64, len(line)), 0.0
	stretch := math.Cos(line[0][1] * math.Pi / 180)
	for i := 1; i < len(line); i++ {
		lengths[i] = math.Hypot((line[i][0]-line[i-1][0])*stretch, line[i][1]-line[i-1][1])
		whole += lengths[i]
	}
	rest := share * whole
	for i := 1; i < len(line); i++ {
		if rest <= lengths[i] && lengths[i] > 0 {
			part := rest / lengths[i]
			return orb.Point{line[i-1][0] + part*(line[i][0]-line[i-1][0]), line[i-1][1] + part*(line[i][1]-line[i-1][1])}
		}
		rest -= lengths[i]
	}
	return line[len(line)-1]
}
