package explain

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/paulmach/orb"

	"quartier/build/released"
	"quartier/internal/network"
	"quartier/internal/pack/access"
	"quartier/internal/rating"
	"quartier/schemas"
)

// location is the place on a street at which values are explained, with what has been read around it.
type location struct {
	r       *Reader
	ctx     context.Context // of the one call of Explain
	err     error           // the first error of reading; nothing is read after it
	point   orb.Point       // requested
	at      orb.Point       // where it is snapped
	spot    access.Spot
	borders bool   // neighbours lend streets to the region
	edge    uint32 // in the pack
	along   network.Distance
	street  Street

	ends       [2][schemas.ChannelCount]uint16 // at the two nodes of the street
	served     [schemas.ChannelCount]uint16
	quantities [rating.QuantityCount]float64
	pastEdge   float64 // greatest share of an absent value beyond the edge of the data, 0–1; 0: none is absent for it
	formulas   map[schemas.Channel]*formula
	computed   map[network.Distance]*rating.Inputs // by the extra distance; network.Far: as served
	requested  map[schemas.Channel]bool

	coverage coverage
	notes    []string
	area     *area
	beeline  *network.Beeline   // bounds the ways from here; nil: they are those along the streets
	used     map[[2]string]bool // region and source of what is reported
}

// locate snaps a point as the server does.
func (r *Reader) locate(ctx context.Context, p orb.Point) (*location, error) {
	l := &location{r: r, ctx: ctx, point: p, used: map[[2]string]bool{}, requested: map[schemas.Channel]bool{},
		formulas: map[schemas.Channel]*formula{},
		computed: map[network.Distance]*rating.Inputs{}}
	var found bool
	if l.spot, found = r.table.Locate(p[0], p[1]); !found {
		return nil, l.notSnapped()
	}
	edge := r.table.Edge(l.spot.Edge)
	length := network.Metres(edge.LengthM)
	l.edge, l.along = l.spot.Edge, network.Distance(math.Round(l.spot.Share*float64(length)))
	r.table.NodeValues(edge.A, &l.ends[0])
	r.table.NodeValues(edge.B, &l.ends[1])
	r.table.Values(l.spot, &l.served)
	if err := l.readStreet(edge); err != nil {
		return nil, err
	}
	if err := l.readQuantities(edge); err != nil {
		return nil, err
	}
	const lent = "SELECT EXISTS (SELECT 1 FROM lent_edge WHERE region = ?)"
	if err := r.db.QueryRowContext(ctx, lent, l.street.Region).Scan(&l.borders); err != nil {
		return nil, fmt.Errorf("read lent_edge: %w", err)
	}
	if r.noFootpaths(l.street.Region, l.street.SourceID) {
		l.beeline = r.table.Beeline(r.c.Walking.Detour)
	}
	l.notes = r.notes(l.street.Region)
	l.coverage = r.coverage(l.street.Region)
	return l, nil
}

func (l *location) readStreet(edge access.Edge) error {
	var blob []byte
	s := &l.street
	err := l.r.db.QueryRow("SELECT fid, region, class, coalesce(name, name_fr, ''), source_id, source_key, geometry FROM street_edge WHERE "+
		"fid = ?",
		int64(l.edge)+1).Scan(&s.Edge, &s.Region, &s.Class, &s.Name, &s.SourceID, &s.SourceKey, &blob)
	if err != nil {
		return fmt.Errorf("read street_edge %d: %w", l.edge+1, err)
	}
	line, err := released.ReadLine(blob)
	if err == nil && len(line) == 0 {
		err = errors.New("a line without vertices")
	}
	if err != nil {
		return fmt.Errorf("street_edge %d: %w", l.edge+1, err)
	}
	l.at = alongLine(line, l.spot.Share)
	l.used[[2]string{s.Region, s.SourceID}] = true
	s.LengthM, s.LegM, s.At = edge.LengthM, l.spot.LegM, pointOf(l.at)
	s.Nodes = [2]Node{
		{int64(edge.A) + 1, round(l.along.Metres(), 1), round(1-l.spot.Share, 4)},
		{int64(edge.B) + 1, round(edge.LengthM-l.along.Metres(), 1), round(l.spot.Share, 4)},
	}
	s.Remark = l.nearerStreet()
	return l.err
}

// use notes a source of what is reported, 'region/source' if a neighbour lends it.
func (l *location) use(source string) {
	region, own, lent := strings.Cut(source, "/")
	if !lent {
		region, own = l.street.Region, source
	}
	l.used[[2]string{region, own}] = true
}

// pointOf is a point in whole 1e-7 degrees.
func pointOf(p orb.Point) Point { return Point{round(p[0], 7), round(p[1], 7)} }

func placeOf(p orb.Point) *Point {
	at := pointOf(p)
	return &at
}

// value is a channel as it is served here, NaN if it is absent.
func (l *location) value(c schemas.Channel) float64 {
	if l.served[c] == schemas.AbsentValue {
		return math.NaN()
	}
	return decimal(l.served[c])
}

// named is the value of a channel by its name.
func (l *location) named(name string) float64 {
	c, ok := schemas.ChannelOf(name)
	if !ok {
		return math.NaN()
	}
	return l.value(c)
}

func decimal(v uint16) float64 { return float64(v) / schemas.UnitValue }

// alongLine is the point at a share of a line's length.
func alongLine(line orb.LineString, share float64) orb.Point {
	lengths, total := make([]float64, len(line)), 0.0
	scale := math.Cos(line[0][1] * math.Pi / 180)
	for i := 1; i < len(line); i++ {
		lengths[i] = math.Hypot((line[i][0]-line[i-1][0])*scale, line[i][1]-line[i-1][1])
		total += lengths[i]
	}
	rest := share * total
	for i := 1; i < len(line); i++ {
		if rest <= lengths[i] && lengths[i] > 0 {
			part := rest / lengths[i]
			return orb.Point{line[i-1][0] + part*(line[i][0]-line[i-1][0]), line[i-1][1] + part*(line[i][1]-line[i-1][1])}
		}
		rest -= lengths[i]
	}
	return line[len(line)-1]
}
