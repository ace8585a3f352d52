package main

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"time"

	"quartier/internal/network"
	"quartier/schemas/calibration"
)

const (
	accessClasses = 12
	accessReachM  = 1600
	accessPOIs    = 60_000
)

// accessTask is the input of both sides: compute the sums of every class at every node.
type accessTask struct {
	graph  *network.Graph
	places []network.Place
	class  []uint8
	weight []uint32
}

// measureAccess compares the sums over 12 classes within 1,600 m of every node of a state's walk graph with a bounded
// Dijkstra from every node in C++.
func (b *bench) measureAccess(ctx context.Context) {
	file := delaware()
	peer := b.compile(ctx, "access", "-fopenmp")
	graph, _ := walkGraph(ctx, file, 1)
	task := accessTask{graph: graph, weight: decayByMetre(accessReachM)}
	task.seed(accessPOIs)
	b.compareAccess(ctx, peer, "60,000 seeded POIs", &task, 2)
	b.ownPOIs(ctx, file, &task)
	b.compareAccess(ctx, peer, "the extract's own POIs", &task, 5)
}

// compile compiles a peer in C++ for this machine, and returns the program.
func (b *bench) compile(ctx context.Context, name string, options ...string) string {
	program := filepath.Join(b.dir, name+"-peer")
	check(os.MkdirAll(b.dir, 0o755))
	source := filepath.Join("bench", "baseline", name+".cpp")
	runToEnd(ctx, "g++", append([]string{"-O3", "-march=native", "-o", program, source}, options...)...)
	return program
}

// decayByMetre tabulates the decay of the calibration by metre, in millionths.
func decayByMetre(metres int) []uint32 {
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

// seed places n destinations on nodes, the same in every run.
func (t *accessTask) seed(n int) {
	random := rand.New(rand.NewPCG(3, accessClasses))
	at := t.graph.Ends()
	t.places, t.class = nil, nil
	for range n {
		t.places = append(t.places, at[random.IntN(len(at))])
		t.class = append(t.class, uint8(random.IntN(accessClasses)))
	}
}

// write writes the input file of the peer.
func (t *accessTask) write(path string) {
	file := must(os.Create(path))
	defer file.Close()
	byNode := make([][]uint32, len(t.graph.Nodes))
	add := func(node uint32, class uint8, here network.Distance, other uint32, there network.Distance, main uint32) {
		byNode[node] = append(byNode[node], uint32(class), uint32(here), other, uint32(there), main)
	}
	const none = math.MaxUint32
	for i, p := range t.places {
		e := t.graph.Edges[p.Edge]
		a, b := p.Leg+p.Along, p.Leg+e.Length-p.Along
		switch {
		case p.Along == 0:
			add(e.A, t.class[i], p.Leg, none, 0, 1)
		case p.Along == e.Length || e.A == e.B:
			add(e.B, t.class[i], min(a, b), none, 0, 1)
		default:
			add(e.A, t.class[i], a, e.B, b, 1)
			add(e.B, t.class[i], b, e.A, a, 0)
		}
	}
	begins, records := []uint32{0}, []uint32{}
	for _, list := range byNode {
		records = append(records, list...)
		begins = append(begins, uint32(len(records)/5))
	}
	put := func(count int, values any) {
		check(binary.Write(file, binary.LittleEndian, uint64(count)))
		check(binary.Write(file, binary.LittleEndian, values))
	}
	put(len(t.graph.First), t.graph.First)
	put(len(t.graph.Arcs), t.graph.Arcs)
	put(len(begins), begins)
	put(len(records)/5, records)
	put(len(t.weight), t.weight)
	put(1, []uint32{accessClasses})
}

// checksum is the same as in access.cpp.
func checksum(sums []uint64) (sum, mix uint64) {
	for i, s := range sums {
		sum += s
		mix ^= (s + uint64(i)) * 0x9E3779B97F4A7C15
	}
	return sum, mix
}

// compareAccess runs both sides in turn; each times its own searches only.
func (b *bench) compareAccess(ctx context.Context, peer, name string, t *accessTask, target float64) {
	input := filepath.Join(b.dir, "access.bin")
	t.write(input)
	values := b.repeat(func() []float64 {
		begun := time.Now()
		sums := t.graph.Sums(t.places, t.class, accessClasses, t.weight)
		seconds := time.Since(begun).Seconds()
		var other float64
		var sum, mix uint64
		if _, err := fmt.Sscan(runToEnd(ctx, peer, input).output, &other, &sum, &mix); err != nil {
			failf("read the output of %s: %w", peer, err)
		}
		if s, m := checksum(sums); s != sum || m != mix {
			failf("%w: sums of %d and %d, checksums %x and %x", errDifferent, s, sum, m, mix)
		}
		return []float64{seconds, other}
	})
	ours, theirs := values[0], values[1]
	b.record(result{"12 sums at every node, " + name, "Dijkstra in C++", 2, "1/seconds", ratios(theirs, ours), target, false},
		fmt.Sprintf("%.2f s, theirs %.2f s, %d nodes, %d places", spreadOf(ours).Median, spreadOf(theirs).Median, len(t.graph.Nodes), len(t.places)))
}
