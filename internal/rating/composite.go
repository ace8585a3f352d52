package rating

import (
	"quartier/schemas"
	"quartier/schemas/calibration"
)

// Quantity is a number at a node that scores are composed of in addition to the measures.
type Quantity int

// The quantities.
const (
	NoiseDB        Quantity = iota // sound level of all sources, dB as quiet weights them
	SteepestPct                    // steepest grade within 200 m, percent
	BikeLanes                      // 0–1: lanes and paths for bicycles within 1 km, of the maximum
	LowStress                      // 0–1: share of streets within 2 km that is connected with low traffic stress
	Green                          // 0–1: how green
	Protected                      // 0–1: how old and protected
	ParkingShare                   // 0–1: share of the land within 400 m that is parking
	RampMin                        // minutes of driving to the nearest ramp
	ArterialMin                    // minutes of driving to the nearest arterial
	LaneLoad                       // vehicles a day per lane of the streets within 800 m
	ActivityKM2                    // people and visitors per km² of land within 800 m
	WalkErrands                    // 0–1: share of Errands on foot
	BicycleErrands                 // the same by bicycle
	DriveErrands                   // the same by a short drive
	QuantityCount
)

// Inputs are the channels and quantities at one place; NaN means no data.
type Inputs struct {
	Channels   [schemas.ChannelCount]float64 // InputMeasures and composite scores
	Quantities [QuantityCount]float64
}

// Composite is a score composed of measures, quantities and other scores.
type Composite struct {
	Channel schemas.Channel
	Value   func(c *calibration.Calibration, in *Inputs, t *Trace) float64
	Parts   []InputPart // of a score with estimates: those that a source has within its extent
}

// InputPart is a part of a composite that sources have or not.
type InputPart struct {
	Name  string
	Value func(in *Inputs) float64 // NaN: no data
}

func ofChannel(c schemas.Channel) InputPart {
	return InputPart{schemas.ChannelName(c), func(in *Inputs) float64 { return in.Channels[c] }}
}

func ofQuantity(name string, q Quantity) InputPart {
	return InputPart{name, func(in *Inputs) float64 { return in.Quantities[q] }}
}

// Composites are all composite scores in an order in which each comes after those that it is composed of.
var Composites = []Composite{
	{channel("pedestrian_friendly"), func(c *calibration.Calibration, in *Inputs, t *Trace) float64 {
		return Pedestrian(&c.Scores, in.Quantities[WalkErrands], in.Channels[intersections], t)
	}, nil},
	{channel("cycling_friendly"), func(c *calibration.Calibration, in *Inputs, t *Trace) float64 {
		return Cycling(c, in.Quantities[BikeLanes], in.Quantities[SteepestPct], in.Quantities[BicycleErrands], in.Quantities[LowStress],
			in.Channels[intersections], t)
	}, []InputPart{ofQuantity("hills", SteepestPct), ofQuantity("calm", LowStress), ofChannel(intersections)}},
	{channel("car_friendly"), func(c *calibration.Calibration, in *Inputs, t *Trace) float64 {
		q := &in.Quantities
		return Car(c, CarInputs{q[DriveErrands], q[RampMin], q[ArterialMin], q[ParkingShare], q[LaneLoad], q[ActivityKM2]}, t)
	}, []InputPart{ofQuantity("ramp", RampMin), ofQuantity("arterial", ArterialMin), ofQuantity("drive errands", DriveErrands)}},
	{channel("quiet"), func(c *calibration.Calibration, in *Inputs, t *Trace) float64 {
		return Quiet(c.Scores.Quiet, in.Quantities[NoiseDB], t)
	}, nil},
	{channel("historic"), func(c *calibration.Calibration, in *Inputs, t *Trace) float64 {
		return Historic(&c.Land.Historic, in.Quantities[Protected], t)
	}, nil},
	{channel("parks"), func(c *calibration.Calibration, in *Inputs, t *Trace) float64 {
		return Parks(&c.Scores, in.Channels[parkAccess], in.Channels[parkBySize], t)
	}, nil},
	{channel("greenery"), func(c *calibration.Calibration, in *Inputs, t *Trace) float64 {
		return Greenery(&c.Land.Green, in.Quantities[Green], t)
	}, nil},
	{channel("wellness"), func(c *calibration.Calibration, in *Inputs, t *Trace) float64 {
		return Wellness(c, [8]float64{in.Channels[parks], in.Channels[greenery], in.Channels[quiet], in.Channels[pedestrian],
			in.Channels[cycling],
			in.Channels[fitness], in.Channels[healthyRestaurants], in.Channels[groceries]}, t)
	}, []InputPart{ofChannel(parks), ofChannel(quiet), ofChannel(pedestrian), ofChannel(cycling), ofChannel(fitness),
		ofChannel(healthyRestaurants), ofChannel(groceries)}},
	{channel("cafes"), same("cafes"), nil},
	{channel("restaurants"), same("restaurants"), nil},
	{channel("nightlife"), same("nightlife"), nil},
}

// InputMeasures are the channels that composite scores are made of, other composite scores aside.
var InputMeasures = []schemas.Channel{intersections, channel("nightlife_access"), parkAccess, parkBySize, fitness, healthyRestaurants,
	groceries, channel("coffee_shop_access"), channel("restaurant_access")}

// SameAs are the scores that are a measure, with the name of the measure.
var SameAs = func() map[string]string {
	same := map[string]string{}
	for _, m := range schemas.Measures {
		if m.Score != "" {
			same[m.Score] = m.ID
		}
	}
	return same
}()

var (
	intersections      = channel("intersection_density")
	parkAccess         = channel("park_access")
	parkBySize         = channel("park_access_weighted_by_area")
	fitness            = channel("fitness_establishment_access")
	healthyRestaurants = channel("healthy_restaurant_access")
	groceries          = channel("groceries")
	parks              = channel("parks")
	greenery           = channel("greenery")
	quiet              = channel("quiet")
	pedestrian         = channel("pedestrian_friendly")
	cycling            = channel("cycling_friendly")
)

// channel is the channel of a name in the vocabulary.
func channel(name string) schemas.Channel {
	c, ok := schemas.ChannelOf(name)
	if !ok {
		panic("no channel " + name)
	}
	return c
}

// same is a score that is a measure.
func same(score string) func(*calibration.Calibration, *Inputs, *Trace) float64 {
	measure := channel(SameAs[score])
	return func(_ *calibration.Calibration, in *Inputs, _ *Trace) float64 { return in.Channels[measure] }
}
