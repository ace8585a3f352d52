package enrich

import "math"

// Status is how the API would answer for a row.
type Status uint8

// The statuses, as quartier_status has them.
const (
	OK               Status = iota // 200
	Outside                        // 404: outside of what the release covers
	NothingHere                    // 204: nothing is known of what the API answers 204 for, with a street near or not
	BadCoordinates                 // 400 or 422: none, or out of range
	NotAgreed                      // 401: outside of the regions of the agreement
	BadGeometry                    // of a shape: none, or one that bounds no area
	NoAddress                      // of an address: none, or one that is no place
	AddressNotFound                // nothing of the level that was chosen
	AmbiguousAddress               // two that are equally good
	StatusCount
)

// statusNames are the values of quartier_status.
var statusNames = [StatusCount]string{"ok", "outside", "nothing_here", "bad_coordinates", "not_agreed", "bad_geometry",
	"no_address", "not_found", "ambiguous"}

// String is the value of quartier_status.
func (s Status) String() string { return statusNames[s] }

// StatusName is the name of the column of statuses.
const StatusName = "quartier_status"

// ValidPoint reports whether degrees are those of a point: finite, within ±180 and ±90.
func ValidPoint(lng, lat float64) bool { return math.Abs(lng) <= 180 && math.Abs(lat) <= 90 }
