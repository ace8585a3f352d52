package state

import "testing"

// A time that is not there is none, and a damaged one is an error.
func TestMoment(t *testing.T) {
	for value, valid := range map[any]bool{nil: true, "2026-11-29T14:40:33.000000Z": true, "": false, "2026-11-29": false} {
		var m moment
		if err := m.Scan(value); (err == nil) != valid {
			t.Errorf("%v: %v", value, err)
		}
	}
}
