package calibration

// Typology is the thresholds of the classes of the built environment (docs/methods.md, 6). A is
// shops_and_services_access, P pedestrian_friendly, V vibrant, T transit_friendly, D people per km² of land, M the share
// of shops that is in malls.
type Typology struct {
	UrbanAccess   float64 `yaml:"urban_access"`    // A at least, of urban
	UrbanVibrant  float64 `yaml:"urban_vibrant"`   // V at least, of urban
	RuralKM2      float64 `yaml:"rural_km2"`       // D under it is rural
	IdleShare     float64 `yaml:"idle_share"`      // more of the ground than this that nobody lives on is rural
	HubPedestrian float64 `yaml:"hub_pedestrian"`  // P at least, of a main street
	HubAccess     float64 `yaml:"hub_access"`      // A at least, of a main street
	GoodAccess    float64 `yaml:"good_access"`     // A at least, of the pedestrian and the mall oriented
	DenseKM2      float64 `yaml:"dense_km2"`       // D over it is dense
	MallShare     float64 `yaml:"mall_share"`      // M at least, of the mall oriented
	GoodTransit   float64 `yaml:"good_transit"`    // T at least, of the transit friendly
	AlongM        float64 `yaml:"along_m"`         // streets are followed in steps of so many metres to find their cells
	AroundPeopleM float64 `yaml:"around_people_m"` // cells this near to where people live are classed too
}
