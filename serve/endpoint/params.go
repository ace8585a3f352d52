package endpoint

import "quartier/serve/param"

// Limits of parameters.
const (
	MaxItems        = 1000 // of lists for which the API specification has no limit
	MaxPolygonChars = 5000
)

// Languages are those of names, labels and texts. The first is the default.
var Languages = []string{"en", "fr"}

// Language declares the parameter of the language.
func Language[Q any](doc string, at func(*Q) *param.Value[string]) *param.Param[Q] {
	return param.Choice("language", Languages[0], Languages, at).Doc(doc)
}

// The units of distances.
const (
	metre         = "meter"
	mile          = "mile"
	metresPerMile = 1609.344
)

// Units are the units of distances. The first is the default.
var Units = []string{metre, mile}

// Distance is a distance of a request with its unit.
type Distance struct {
	Value param.Value[float64]
	Unit  param.Value[string]
}

// Metres is the distance in metres. A default is in metres whatever the unit.
func (d *Distance) Metres() float64 {
	if d.Value.Given && d.Unit.V == mile {
		return d.Value.V * metresPerMile
	}
	return d.Value.V
}

// UnitOf declares the parameter <name>_unit of the distance <name>.
func UnitOf[Q any](name string, at func(*Q) *Distance) *param.Param[Q] {
	return param.Choice(name+"_unit", metre, Units, func(q *Q) *param.Value[string] { return &at(q).Unit }).
		Doc("Unit of " + name + "; a mile is 1609.344 metres.")
}
