// Package calibration is the one file of constants that measures and scores are made with, calibration.yaml, each with
// its source, and its typed form. The manifest of a release names its version and digest.
package calibration

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"fmt"
	"sync"

	"gopkg.in/yaml.v3"
)

//go:embed calibration.yaml
var text []byte

// Calibration is calibration.yaml. Sections stand in files of their own beside this one.
type Calibration struct {
	Version string  `yaml:"version"`
	Walking Walking `yaml:"walking"`

	Access       Access               `yaml:"access"`
	Proximity    map[string]Proximity `yaml:"proximity"` // by channel
	Transit      Transit              `yaml:"transit"`
	Education    Education            `yaml:"education"`
	Vibrant      Vibrant              `yaml:"vibrant"`
	Scores       Scores               `yaml:"scores"`
	Coverage     Coverage             `yaml:"ground"`
	Destinations Destinations         `yaml:"destinations"`
	Homes        Homes                `yaml:"homes"`
	Typology     Typology             `yaml:"typology"`

	Traffic Traffic `yaml:"traffic"`
	Noise   Noise   `yaml:"noise"`
	Form    Form    `yaml:"form"`
	Land    Land    `yaml:"land"`
	Bicycle Bicycle `yaml:"bicycle"`
	Terrain Terrain `yaml:"terrain"`

	Demographics Demographics `yaml:"demographics"`
}

// Walking is how far people walk, and how the worth of a place falls with the way there.
type Walking struct {
	SnapM         float64   `yaml:"snap_m"`          // metres from a door to its street at most
	MaxEdgeM      float64   `yaml:"max_edge_m"`      // metres between neighbouring nodes at most; longer edges are cut evenly
	MinNodes      int       `yaml:"least_nodes"`     // pieces of network with fewer nodes are left out
	FullCreditM   float64   `yaml:"full_credit_m"`   // W is 1 up to here
	NoCreditM     float64   `yaml:"no_credit_m"`     // W is 0 from here on
	Decay         []float64 `yaml:"decay"`           // coefficients of W between, ascending powers of kilometres
	MetresAMinute float64   `yaml:"metres_a_minute"` // walking
	BicycleFactor float64   `yaml:"bicycle_stretch"` // a way on a bicycle is worth what one this many times shorter is on foot
}

// Standard is the calibration that is built in.
var Standard = sync.OnceValue(func() *Calibration {
	c, err := Parse(text)
	if err != nil {
		panic(err) // held by a test
	}
	return c
})

// Parse reads a calibration file and refuses what it does not know.
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
