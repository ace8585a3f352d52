// Package channel holds what is computed for every node of a region's walking network: the channels of
// schemas.Channels on the scale of 0 to 5, and physical quantities that scores are made of.
package channel

import (
	"math"
	"slices"

	"quartier/schemas"
)

// Matrix holds the channels of all nodes, node by node. Different nodes or channels may be set concurrently.
type Matrix struct {
	Nodes  int
	Values []uint16 // Nodes × schemas.ChannelCount ten-thousandths; schemas.AbsentValue if absent
}

// NewMatrix returns a matrix in which all values are absent.
func NewMatrix(nodes int) *Matrix {
	m := &Matrix{Nodes: nodes, Values: make([]uint16, nodes*schemas.ChannelCount)}
	for i := range m.Values {
		m.Values[i] = schemas.AbsentValue
	}
	return m
}

// Set sets a value, clamped to 0–5; NaN makes it absent.
func (m *Matrix) Set(node int, c schemas.Channel, value float64) {
	m.Values[node*schemas.ChannelCount+int(c)] = Encode(value)
}

// Get returns a value; NaN if it is absent.
func (m *Matrix) Get(node int, c schemas.Channel) float64 {
	return Decode(m.Values[node*schemas.ChannelCount+int(c)])
}

// Between interpolates between nodes a and b at a share of the way; where one of them has no value, it is the
// other's.
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

// Row returns the channels of a node.
func (m *Matrix) Row(node int) []uint16 {
	return m.Values[node*schemas.ChannelCount : (node+1)*schemas.ChannelCount]
}

// Encode converts a value to the form in which channels store it: 2.5 is 25000.
func Encode(value float64) uint16 {
	if math.IsNaN(value) {
		return schemas.AbsentValue
	}
	return uint16(math.Round(min(max(value, 0), 5) * schemas.UnitValue))
}

// Decode is the inverse of Encode; NaN if v is absent.
func Decode(v uint16) float64 {
	if v == schemas.AbsentValue {
		return math.NaN()
	}
	return float64(v) / schemas.UnitValue
}

// Quantities are physical quantities of every node that scores need in addition to measures; NaN where there are no
// data. A nil slice is absent everywhere.
type Quantities struct {
	NoiseDB        []float32 // total level in dB, weighted as the quiet score needs it
	SteepestPct    []float32 // steepest grade within 200 m, percent
	BikeLanes      []float32 // 0–1: cycle lanes and paths within 1 km, relative to the reference place
	LowStress      []float32 // 0–1: share of streets within 2 km that are connected by streets of low traffic stress
	Green          []float32 // 0–1: greenery, where land cover or trees are mapped well enough
	Historic       []float32 // 0–1: old buildings and heritage sites, where enough years of construction are mapped
	ParkingShare   []float32 // 0–1: share of the area within 400 m that is parking
	DensityKM2     []float32 // people per km² of land within 800 m
	Dwellings      []float32 // within calibration.Setting.RadiusM
	Beyond         []float32 // 0–1: greatest share of what a value looks at beyond the edge of the data, of the values that are absent for it
	MallShare      []float32 // 0–1: share of nearby shops that are in malls, weighted by distance
	IdleShare      []float32 // 0–1: share of the area within 500 m that is park, forest, airport, industry, farmland or water
	WalkErrands    []float32 // 0–1: share of errands reached on foot, weighted, of those with data
	BicycleErrands []float32 // 0–1: the same by bicycle
	DriveErrands   []float32 // 0–1: the same by a short drive
	RampMin        []float32 // minutes of driving to the nearest ramp of a motorway or expressway, at most calibration.Drive.Ramp.None
	ArterialMin    []float32 // minutes of driving to the nearest arterial, at most calibration.Drive.Arterial.None
	LaneLoad       []float32 // vehicles a day per lane of the streets within 800 m
	ActivityKM2    []float32 // people and visitors per km² of land within 800 m
}

// Absent is a quantity without data at n nodes.
func Absent(n int) []float32 { return slices.Repeat([]float32{float32(math.NaN())}, n) }

// Some reports whether a quantity has data at some node.
func Some(values []float32) bool {
	return slices.ContainsFunc(values, func(v float32) bool { return !math.IsNaN(float64(v)) })
}
