package noise

import (
	"context"
	_ "embed"
	"fmt"
	"math"

	"github.com/paulmach/orb"

	"quartier/internal/coord"
	"quartier/internal/duck"
	"quartier/internal/pointindex"
	"quartier/internal/sqlrow"
	"quartier/schemas/calibration"
	"quartier/transform/feature"
)

//go:embed trains.sql
var trainsSQL string

// trainLevel is the level in dB at the reference distance for an hour with perHour trains, by FTA's general method.
func trainLevel(t calibration.Track, perHour float64, r calibration.Rail) float64 {
	speed, hour := t.SpeedKMH/r.ReferenceKMH, 10*math.Log10(perHour)-r.HourDB
	cars := r.CarDB + 10*math.Log10(t.Cars) + 20*math.Log10(speed) + hour
	locomotives := r.LocomotiveDB + 10*math.Log10(t.Locomotives) - 10*math.Log10(speed) + hour
	sum := level(energyOf(cars) + energyOf(locomotives)) // without any of them the level is -Inf and the energy 0
	if t.Embedded {
		sum += r.EmbeddedDB
	}
	return sum
}

// dayNight is the level of a day in which trains at night have a penalty of NightDB: Ldn.
func dayNight(t calibration.Track, r calibration.Rail) float64 {
	day, night := t.TrainsDay/24, t.TrainsDay/24
	if t.Service {
		an := t.TrainsDay / r.ServiceHours
		day, night = an*(r.ServiceHours-r.ServiceNightHrs)/(24-r.NightHours), an*r.ServiceNightHrs/r.NightHours
	}
	return level(((24-r.NightHours)*energyOf(trainLevel(t, day, r)) + r.NightHours*energyOf(trainLevel(t, night, r)+r.NightDB)) / 24)
}

// tracks are the classes of rail, with the number of trains from the region's timetables if these have the mode.
func tracks(ctx context.Context, staged *duck.DB, r calibration.Rail) (map[string]calibration.Track, error) {
	type service struct {
		Mode      string  `col:"mode"`
		TripsWeek float64 `col:"trips_week"`
	}
	byMode := map[string]float64{}
	for row, err := range sqlrow.Select[service](ctx, staged, trainsSQL) {
		if err != nil {
			return nil, fmt.Errorf("read trains: %w", err)
		}
		byMode[row.Mode] = row.TripsWeek / 7
	}
	merged := make(map[string]calibration.Track, len(r.Tracks))
	for class, track := range r.Tracks {
		if day, ok := byMode[track.Mode]; ok && track.Mode != "" {
			track.TrainsDay = day
		}
		merged[class] = track
	}
	return merged, nil
}

// rails returns the pieces of all tracks above ground.
func rails(ctx context.Context, staged *duck.DB, g *propagation, c *calibration.Noise) (*piecesByReach, error) {
	byClass, err := tracks(ctx, staged, c.Rail)
	if err != nil {
		return nil, err
	}
	var pieces []piece
	var horns []bool
	err = feature.Shapes(ctx, staged, "rail", func(f *feature.Feature, line orb.LineString) {
		track, known := byClass[f.Class]
		if !known || track.TrainsDay == 0 {
			return
		}
		strength := energyOf(dayNight(track, c.Rail)) * math.Pow(c.Rail.AtM, 1+c.Soft) / g.halfTurn()
		cutLine(line, c.PieceM, func(a, b coord.Point) {
			pieces = append(pieces, newPiece(a, b, strength))
			horns = append(horns, track.Horns)
		})
	})
	if err != nil {
		return nil, err
	}
	if err := addHorns(ctx, staged, pieces, horns, g, c); err != nil {
		return nil, err
	}
	sorted := &piecesByReach{}
	for _, p := range pieces {
		sorted.add(p)
	}
	return sorted, nil
}

// addHorns makes tracks near level crossings louder and sets the reach of every piece.
func addHorns(ctx context.Context, staged *duck.DB, pieces []piece, horns []bool, g *propagation, c *calibration.Noise) error {
	crossings, err := feature.Points(ctx, staged, "junction", "level_crossing")
	if err != nil {
		return err
	}
	var middles, sounded []coord.Point
	for i := range pieces {
		if horns[i] {
			middles = append(middles, pieces[i].middle())
		}
	}
	tracks := pointindex.NewPointSet(middles, c.Rail.CrossingM)
	for _, at := range crossings {
		if tracks.Near(at, c.Rail.CrossingM) {
			sounded = append(sounded, at)
		}
	}
	sounds := pointindex.NewPointSet(sounded, c.Rail.HornM)
	for i := range pieces {
		if horns[i] && sounds.Near(pieces[i].middle(), c.Rail.HornM) {
			pieces[i].strength *= energyOf(c.Rail.HornDB)
		}
		pieces[i].reach = reachOf(pieces[i].strength, g, c)
	}
	return nil
}
