package enrich

import "math"

// Status is how the API would answer for a row.
type Status uint8

// The statuses, as quartier_status has them.
const (
	OK             Status = iota // 200
	Outside                      // 404: outside of what the release covers
	NothingHere                  // 204: nothing is known of what the API answers 204 for, with a street near or not
	BadCoordinates               // 400 or 422: none, or out of range
	NotAgreed                    // 401: outside of the regions of the agreement
	BadGeometry                  // of a shape: none, or one that bounds no area
	StatusCount
)

// statusNames are the values of quartier_status.
var statusNames = [StatusCount]string{"ok", "outside", "nothing_here", "bad_coordinates", "not_agreed", "bad_geometry"}

// String is the value of quartier_status.
func (s Status) String() string { return statusNames[s] }

// StatusName is the name of the column of statuses.
const StatusName = "quartier_status"

var statusColumn = Column{
	Name: StatusName, Kind: Text,
	Doc: "How the API would answer: ok; outside of what the release covers (404); nothing_here, nothing known of scores, measures, " +
		"typology and demographics as far as they were chosen (204); bad_coordinates (400); not_agreed, outside of the regions of the " +
		"agreement (401)",
	Null: "never",
}

var shapeStatusColumn = Column{
	Name: StatusName, Kind: Text,
	Doc: "How the API would answer: ok; outside of what the release covers (404); nothing_here, nobody lives in the shape and there is no " +
		"home, " +
		"as far as these were chosen (204); bad_geometry, no shape or one without an area (400); not_agreed, outside of the regions of the " +
		"agreement (401)",
	Null: "never",
}

// reasonColumn follows the values of shapes.
var reasonColumn = Column{Name: "quartier_reason", Kind: Text, Doc: "Why the row has no shape: what is wrong, and where",
	Null: "it has one"}

// ValidPoint reports whether degrees are those of a point: finite, within ±180 and ±90.
func ValidPoint(lng, lat float64) bool { return math.Abs(lng) <= 180 && math.Abs(lat) <= 90 }
