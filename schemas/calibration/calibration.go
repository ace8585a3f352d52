// Package calibration is the constants of measures and scores: calibration.yaml, in which each has its source, and its
// typed form. The manifest of a release has its version and digest.
package calibration

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"fmt"
	"slices"
	"sync"

	"gopkg.in/yaml.v3"
)

//go:embed calibration.yaml
var constants []byte

//go:embed estimates.yaml
var estimates []byte

// text is both files, of different sections.
var text = slices.Concat(constants, estimates)

// Calibration is calibration.yaml; each section has a file of its own.
type Calibration struct {
	Version string  `yaml:"version"`
	Walking Walking `yaml:"walking"`

	Access       Access               `yaml:"access"`
	Proximity    map[string]Proximity `yaml:"proximity"` // by channel
	Transit      Transit              `yaml:"transit"`
	Education    Education            `yaml:"education"`
	Schools      Schools              `yaml:"schools"`
	Vibrant      Vibrant              `yaml:"vibrant"`
	Scores       Scores               `yaml:"scores"`
	Estimates    Estimates            `yaml:"estimates"`
	Known        Known                `yaml:"known"`
	Coverage     Coverage             `yaml:"ground"`
	Destinations Destinations         `yaml:"destinations"`
	Containment  Containment          `yaml:"containment"`
	Boundary     Boundary             `yaml:"boundary"`
	Homes        Homes                `yaml:"homes"`
	Spread       Spread               `yaml:"spread"`
	Typology     Typology             `yaml:"typology"`

	Traffic Traffic `yaml:"traffic"`
	Noise   Noise   `yaml:"noise"`
	Form    Form    `yaml:"form"`
	Land    Land    `yaml:"land"`
	Bicycle Bicycle `yaml:"bicycle"`
	Terrain Terrain `yaml:"terrain"`

	Demographics Demographics `yaml:"demographics"`
	Market       Market       `yaml:"market"`
	Facts        Facts        `yaml:"facts"`
}

// Walking is how far people walk, and the decay of weights with distance.
type Walking struct {
	SnapM         float64    `yaml:"snap_m"`        // greatest access leg, in metres
	MaxEdgeM      float64    `yaml:"max_edge_m"`    // greatest length of an edge; longer ones are divided evenly
	Detour        float64    `yaml:"detour"`        // a way is at most this times the straight line where the streets have no footpaths
	JoinM         float64    `yaml:"join_m"`        // an end of a street is led on to a street of another source this near
	MinNodes      int        `yaml:"least_nodes"`   // smaller components of the network are dropped
	FullCreditM   float64    `yaml:"full_credit_m"` // W is 1 up to this distance
	NoCreditM     float64    `yaml:"no_credit_m"`   // W is 0 from this distance on
	Decay         []float64  `yaml:"decay"`         // coefficients of W between, ascending powers of kilometres
	SameStreet    SameStreet `yaml:"same_street"`
	MetresAMinute float64    `yaml:"metres_a_minute"` // walking speed
	BicycleFactor float64    `yaml:"bicycle_stretch"` // distances by bicycle are divided by it
}

// SameStreet is when streets of two sources are one: Share of the length of the second is within WithinM metres of the
// first, which runs in the same direction, either way.
type SameStreet struct {
	WithinM  float64 `yaml:"within_m"`
	Share    float64 `yaml:"share"`
	AngleDeg float64 `yaml:"angle_deg"`
}

// Containment is when a geography is inside one of a higher level.
type Containment struct {
	Share float64 `yaml:"share"` // minimum share of its area that the parent contains
	Part  float64 `yaml:"part"`  // minimum part that the parent has of what all geographies of its level contain of it
}

// Boundary is when an outline is that of the release before, drawn a little differently: where at least IoU of both is common, and
// no point of one boundary is over ApartM from the other or nobody changes sides; or where what differs is on average at most
// SeamM wide, no point is over ApartM away, and nobody changes sides. Nobody is under MovedShare of the households, or of the area
// where these are not known; what is within SeamM of the other outline does not count.
type Boundary struct {
	IoU        float64 `yaml:"iou"`
	SeamM      float64 `yaml:"seam_m"`
	ApartM     float64 `yaml:"apart_m"`
	MovedShare float64 `yaml:"moved"`
}

// Standard is the calibration that is built in.
var Standard = sync.OnceValue(func() *Calibration {
	c, err := Parse(text)
	if err != nil {
		panic(err) // a test reads it
	}
	return c
})

// Parse reads a calibration file; unknown keys are errors.
func Parse(data []byte) (*Calibration, error) {
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	decoder.KnownFields(true)
	c := new(Calibration)
	if err := decoder.Decode(c); err != nil {
		return nil, fmt.Errorf("calibration: %w", err)
	}
	return c, nil
}

// Digest is the SHA-256 of the built-in file, lower-case hex.
func Digest() string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}
