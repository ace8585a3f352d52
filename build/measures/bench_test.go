package measures

import (
	"math/rand/v2"
	"slices"
	"testing"

	"quartier/internal/travel/timetable"
)

// metro is 400 lines of 40 stops on a grid of 55 by 55 places of 40 by 40 km, both ways, with some 2,000,000 calls a day.
func metro(random *rand.Rand, side int) *timetable.Timetable {
	const places, calls, day = 55, 40, timetable.Date(20000)
	b := timetable.NewBuilder(timetable.Rules{})
	b.AddFeed("metro", timetable.Feed{First: day, Last: day, Tuesday: day, Saturday: timetable.NoDate, Sunday: timetable.NoDate}, nil)
	for i := range places * places {
		spot := float64(side) / places
		x, y := (float64(i%places)+random.Float64())*spot, (float64(i/places)+random.Float64())*spot
		b.AddStop("", 0, at(x, y))
	}
	b.AddService([]timetable.Date{day})
	for line := range uint32(400) {
		b.AddRoute("", timetable.Route{})
		x, y, dx, dy := random.IntN(places), random.IntN(places), 1-2*random.IntN(2), 1-2*random.IntN(2)
		lean := random.Float64()
		var stops, hops []uint32
		for range calls {
			stops, hops = append(stops, uint32(y*places+x)), append(hops, 60+random.Uint32N(90))
			if random.Float64() < lean {
				x += dx
			} else {
				y += dy
			}
			if x < 0 || y < 0 || x >= places || y >= places {
				x, y, dx, dy = min(max(x, 0), places-1), min(max(y, 0), places-1), -dx, -dy
			}
		}
		headway := []uint32{540, 1200, 1800, 3000}[random.IntN(4)]
		for range 2 {
			for start := 5*3600 + random.Uint32N(headway); start < 24*3600; start += headway {
				list, when := make([]timetable.Call, calls), start
				for i, stop := range stops {
					list[i] = timetable.Call{Stop: stop, Arrival: when, Departure: when}
					when += hops[i]
				}
				b.AddTrip("", "", line, 0, list, nil)
			}
			slices.Reverse(stops)
		}
	}
	return b.Finish()
}

// BenchmarkMetro is all measures of a metro: 90,000 nodes of streets, each with homes, and 2,000,000 calls a day.
func BenchmarkMetro(b *testing.B) {
	random := rand.New(rand.NewPCG(1, 2))
	const side = 300
	table := metro(random, side)
	w := grid(b, random, side, table, 4)
	for b.Loop() {
		cells, homes := w.Cells()
		var some, driven []uint32
		for i, c := range cells {
			if some = append(some, uint32(i)); c.Car == uint32(i) {
				driven = append(driven, c.Car)
			}
		}
		if err := w.Fill(b.Context(), cells, some); err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(len(homes)), "nodes")
		b.ReportMetric(float64(len(cells)), "cells")
		b.ReportMetric(float64(len(driven)), "cells-by-car")
		b.ReportMetric(float64(len(table.Arrivals)), "trip-stops")
	}
}
