package schemas

import "strconv"

// TravelMeasure is how much is reached from home within some minutes, door to door. By transit it is what the median journey of those
// reaches who leave on a typical Tuesday between 8 and 9, or a walk; by car in free-flowing traffic.
type TravelMeasure struct {
	ID      string // 'jobs_within_45_min_transit'
	Of      string // what is counted: of TravelCounted
	Mode    string // 'transit' or 'car'
	Minutes int
	Name    Text
}

// TravelMeasures are all of them. They are not among Measures, whose list is that of the API specification.
var TravelMeasures = ReadVocabulary("travel_measures.tsv", func(c []string) TravelMeasure {
	minutes, err := strconv.Atoi(c[3])
	if err != nil {
		panic(err) // a test reads all vocabularies
	}
	return TravelMeasure{ID: c[0], Of: c[1], Mode: c[2], Minutes: minutes, Name: Text{c[4], c[5]}}
})

// TravelCounted is what travel measures count.
var TravelCounted = []string{"jobs", "people", "groceries"}
