package measures

import (
	"math/rand/v2"
	"slices"
	"syscall"
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

// BenchmarkMetro is what measures of a metro take of a processor, of some of its cells: 90,000 nodes of streets, three quarters with
// homes, and 2,000,000 calls a day.
func BenchmarkMetro(b *testing.B) {
	random := rand.New(rand.NewPCG(1, 2))
	const side, sample = 300, 100
	table := metro(random, side)
	w := grid(b, random, side, table, 4)
	cells, homes := w.Cells()
	var cars []uint32
	for i, c := range cells {
		if c.Car == uint32(i) {
			cars = append(cars, c.Car)
		}
	}
	var spent [2]float64 // seconds, of cells by transit and by car
	for b.Loop() {
		for mode, list := range [][]uint32{random32(random, len(cells), sample), cars[:sample]} {
			begin := processorTime()
			fill := w.byTransit
			if mode == 1 {
				fill = w.byCar
			}
			if err := fill(b.Context(), cells, list); err != nil {
				b.Fatal(err)
			}
			spent[mode] += processorTime() - begin
		}
	}
	n := float64(b.N * sample)
	b.ReportMetric(float64(len(homes)), "nodes")
	b.ReportMetric(float64(len(cells)), "cells")
	b.ReportMetric(float64(len(cars)), "cells-by-car")
	b.ReportMetric(float64(len(table.Arrivals)), "trip-stops")
	b.ReportMetric(n/spent[0], "cells/s-of-a-core")
	b.ReportMetric(n/spent[1], "cells-by-car/s-of-a-core")
	b.ReportMetric((spent[0]*float64(len(cells))+spent[1]*float64(len(cars)))/n, "core-seconds-for-all")
}

func random32(random *rand.Rand, below, n int) (list []uint32) {
	for range n {
		list = append(list, random.Uint32N(uint32(below)))
	}
	return list
}

// processorTime is what the process used so far in seconds: other work on the machine does not count.
func processorTime() float64 {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		panic(err)
	}
	return float64(usage.Utime.Nano()+usage.Stime.Nano()) / 1e9
}
