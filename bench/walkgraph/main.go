// Command walkgraph builds the walk graph of a PBF, FILE, and prints what it has: the peer of bench/baseline/walkgraph.cpp. It
// is a program of its own so that it links and starts only what that takes.
package main

import (
	"context"
	"fmt"
	"os"
	"runtime/debug"

	"quartier/bench/walk/streets"
)

// memory is the memory limit, about what the peer takes.
const memory = 48 << 20

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: walkgraph FILE")
		os.Exit(2)
	}
	debug.SetMemoryLimit(memory)
	graph, report := streets.Graph(context.Background(), os.Args[1], 1)
	fmt.Printf("%d lines, %d nodes, %d edges, %d islands left out\n", report.Lines, len(graph.Nodes), len(graph.Edges),
		report.DroppedComponents)
}
