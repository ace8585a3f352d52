// Package channel holds what transform works out for every node of a region's walking network: the numbers of
// schemas.Channels on the 0 to 5 scale, and physical quantities in between that scores are made of.
package channel

import (
	"math"

	"quartier/schemas"
)

// Matrix is the channels of all nodes, node by node. Different nodes or channels may be set at the same time from
// several goroutines.
type Matrix struct {
	Nodes  int
	Values []uint16 // Nodes × schemas.ChannelCount ten-thousandths, schemas.AbsentValue where absent
}

// NewMatrix is a matrix of nodes in which every value is absent.
func NewMatrix(nodes int) *Matrix {
	m := &Matrix{Nodes: nodes, Values: make([]uint16, nodes*schemas.ChannelCount)}
	for i := range m.Values {
		m.Values[i] = schemas.AbsentValue
	}
	return m
}

// Set puts a value, clamped to 0–5; NaN leaves it absent.
func (m *Matrix) Set(node int, c schemas.Channel, value float64) {
	m.Values[node*schemas.ChannelCount+int(c)] = Encode(value)
}

// Get returns a value; NaN where it is absent.
func (m *Matrix) Get(node int, c schemas.Channel) float64 {
	return Decode(m.Values[node*schemas.ChannelCount+int(c)])
}

// Between is a value on the way from node a to node b, share of the way along; where one of them has none, the other's.
func (m *Matrix) Between(a, b int, share float64, c schemas.Channel) float64 {
	from, to := m.Get(a, c), m.Get(b, c)
	switch {
	case math.IsNaN(from):
		return to
	case math.IsNaN(to):
		return from
	}
	return from + share*(to-from)
}

// Row is the channels of a node.
func (m *Matrix) Row(node int) []uint16 {
	return m.Values[node*schemas.ChannelCount : (node+1)*schemas.ChannelCount]
}

// Encode is a value as channels keep it.
func Encode(value float64) uint16 {
	if math.IsNaN(value) {
		return schemas.AbsentValue
	}
	return uint16(math.Round(min(max(value, 0), 5) * schemas.UnitValue))
}

// Decode is the value that Encode made v of; NaN where it is absent.
func Decode(v uint16) float64 {
	if v == schemas.AbsentValue {
		return math.NaN()
	}
	return float64(v) / schemas.UnitValue
}

// Quantities are quantities of every node that scores are made of beside the measures; NaN where there is no ground.
// A nil slice is absent everywhere.
type Quantities struct {
	NoiseDB      []float32 // all sources together, dB as the quiet score weighs them
	SteepestPct  []float32 // steepest grade within 200 m, percent
	BikeLanes    []float32 // 0–1: lanes and paths for bicycles within 1 km, against the best
	LowStress    []float32 // 0–1: share of streets within 2 km that can be reached with little traffic stress
	Green        []float32 // 0–1: how green, where land cover or trees are mapped well enough to tell
	Historic     []float32 // 0–1: how old and protected, where years of construction are known well enough
	ParkingShare []float32 // 0–1: share of the ground within 400 m that is parking
	DensityKM2   []float32 // people per km² of land within 800 m
	MallShare    []float32 // 0–1: share of shops and food nearby that is in malls, weighted by access
	IdleShare    []float32 // 0–1: share of the ground within 500 m that is park, forest, airport, industry, farmland or water
}
