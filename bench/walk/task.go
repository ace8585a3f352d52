// Package walk makes the inputs of benchmarks of the access engine from an OpenStreetMap extract: places on its walking network.
package walk

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"os"
	"runtime"
	"time"

	"quartier/bench/fail"
	"quartier/internal/network"
	"quartier/schemas/calibration"
)

// Classes is the number of classes of places.
const Classes = 12

// Task is the input of both sides: compute the sums of every class at every node.
type Task struct {
	Graph  *network.Graph
	Places []network.Place
	Class  []uint8  // of each place
	Weight []uint32 // by metre, in millionths
}

// DecayByMetre tabulates the decay of the calibration by metre, in millionths.
func DecayByMetre(metres int) []uint32 {
	w := calibration.Standard().Walking
	weight := make([]uint32, metres)
	for i := range weight {
		km := min(max(float64(i), w.FullCreditM), w.NoCreditM) / 1000
		value := 0.0
		for power := len(w.Decay) - 1; power >= 0; power-- {
			value = value*km + w.Decay[power]
		}
		weight[i] = uint32(math.Round(1e6 * min(1, max(0, value))))
	}
	return weight
}

// Seed places n destinations on nodes, the same in every run.
func (t *Task) Seed(n int) {
	random := rand.New(rand.NewPCG(3, Classes))
	at := t.Graph.Ends()
	t.Places, t.Class = nil, nil
	for range n {
		t.Places = append(t.Places, at[random.IntN(len(at))])
		t.Class = append(t.Class, uint8(random.IntN(Classes)))
	}
}

// Write writes the input file of the peer.
func (t *Task) Write(path string) {
	file := fail.Must(os.Create(path))
	defer file.Close()
	byNode := make([][]uint32, len(t.Graph.Nodes))
	add := func(node uint32, class uint8, here network.Distance, other uint32, there network.Distance, main uint32) {
		byNode[node] = append(byNode[node], uint32(class), uint32(here), other, uint32(there), main)
	}
	const none = math.MaxUint32
	for i, p := range t.Places {
		e := t.Graph.Edges[p.Edge]
		a, b := p.Leg+p.Along, p.Leg+e.Length-p.Along
		switch {
		case p.Along == 0:
			add(e.A, t.Class[i], p.Leg, none, 0, 1)
		case p.Along == e.Length || e.A == e.B:
			add(e.B, t.Class[i], min(a, b), none, 0, 1)
		default:
			add(e.A, t.Class[i], a, e.B, b, 1)
			add(e.B, t.Class[i], b, e.A, a, 0)
		}
	}
	begins, records := []uint32{0}, []uint32{}
	for _, list := range byNode {
		records = append(records, list...)
		begins = append(begins, uint32(len(records)/5))
	}
	put := func(count int, values any) {
		fail.Check(binary.Write(file, binary.LittleEndian, uint64(count)))
		fail.Check(binary.Write(file, binary.LittleEndian, values))
	}
	put(len(t.Graph.First), t.Graph.First)
	put(len(t.Graph.Arcs), t.Graph.Arcs)
	put(len(begins), begins)
	put(len(records)/5, records)
	put(len(t.Weight), t.Weight)
	put(1, []uint32{Classes})
}

// Checksum is the same as in access.cpp.
func Checksum(sums []uint64) (sum, mix uint64) {
	for i, s := range sums {
		sum += s
		mix ^= (s + uint64(i)) * 0x9E3779B97F4A7C15
	}
	return sum, mix
}

// NearestRate finds the k nearest places of each class from all nodes, and returns the nodes per second over all classes, and the bytes
// allocated per node and class.
func (t *Task) NearestRate(k int, reachM float64) []float64 {
	byClass := make([][]network.Place, Classes)
	for i, p := range t.Places {
		byClass[t.Class[i]] = append(byClass[t.Class[i]], p)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	begun := time.Now()
	for _, places := range byClass {
		t.Graph.Nearest(places, nil, k, network.Metres(reachM))
	}
	seconds := time.Since(begun).Seconds()
	runtime.ReadMemStats(&after)
	n := float64(len(t.Graph.Nodes))
	return []float64{n / seconds, float64(after.TotalAlloc-before.TotalAlloc) / n / Classes}
}
