package servetest

import (
	"fmt"

	"github.com/paulmach/orb"

	"quartier/internal/pack"
	"quartier/internal/pack/schools"
	"quartier/schemas"
	"quartier/schemas/derived"
	"quartier/schemas/staged"
)

// Schools that tests name.
const (
	NorthSchool   = "École du Nord"    // 300 m north of NorthLat, of elementary and middle grades
	SouthSchool   = "South Elementary" // 500 m south of SouthLat
	BorderSchool  = "Line High"        // in Vermont, within 25 km of NorthLat
	CrowdedLat    = 45.6               // of many primary schools at one place
	CrowdedCount  = 40                 // their number
	degreesMetres = 1 / 111_000.0      // degrees of latitude in a metre, about
)

// school is a record at metres north of a latitude, at Lng.
func school(name, country, state string, lat, north float64, details derived.SchoolDetails,
	catchments ...schools.Catchment) schools.Record {
	details.Name, details.CountryCode, details.StateCode = name, country, state
	return schools.Record{Key: country + ":" + name, Lng: Lng, Lat: lat + north*degreesMetres, SchoolDetails: details, Catchments: catchments}
}

func around(lat, size float64) orb.MultiPolygon { return box(Lng-size, lat-size, Lng+size, lat+size) }

// schoolsOfWorld are schools for each rule of searches.
func schoolsOfWorld() []schools.Record {
	number, yes, no, ratio := func(n int64) *int64 { return &n }, true, false, 14.5
	all := []schools.Record{
		school(NorthSchool, "CA", "QC", NorthLat, 300, derived.SchoolDetails{
			Levels: "elementary,middle", Grades: "1-8", Types: "public", Languages: "fr,cr", Programs: `["French immersion","Robotique"]`,
			Address: "1, rue Principale", City: "Northville", PostalCode: "J0J 1J0", URL: "https://nord.example/?a=1&b=<2>",
			BoardName: "Centre de services du Nord", Phone: "450-555-0100", Rating: "A",
		},
			schools.Catchment{Level: "middle", Program: "French immersion", Geometry: around(NorthLat, 0.02)},
			schools.Catchment{Level: "elementary", Grade: "1-5", Geometry: around(NorthLat+0.1, 0.02)},
			schools.Catchment{Level: "elementary", Grade: "6", Geometry: box(Lng, NorthLat-0.01, Lng+0.02, NorthLat+0.01)}),
		school("Collège Privé", "CA", "QC", NorthLat, -700, derived.SchoolDetails{Levels: "secondary", Types: "private", Languages: "en"}),
		school(SouthSchool, "US", "VT", SouthLat, -500, derived.SchoolDetails{
			Levels: "preschool,elementary", Grades: "PK-5", Types: "public", Programs: `["French immersion"]`, PostalCode: "05001",
			City:  "Southville",
			Phone: "802-555-0100", BoardName: "South District", BoardURL: "https://district.example", Rating: "B+",
			SchoolFigures: staged.SchoolFigures{
				Students: number(300), Female: number(0), Male: number(300), FreeLunch: number(20), ReducedLunch: number(7),
				StudentTeacherRatio: &ratio,
				Charter:             &no, Magnet: &yes, TitleI: &yes, AdvancedPlacement: &no, Library: &yes,
			},
		}, schools.Catchment{Level: "elementary", Geometry: around(SouthLat, 0.02)}),
		school("South Middle", "US", "VT", SouthLat, 900, derived.SchoolDetails{Levels: "middle", Grades: "6-8"}),
		school(BorderSchool, "US", "VT", 44.99, 0, derived.SchoolDetails{Levels: "secondary"}),
	}
	for i := range CrowdedCount {
		all = append(all, school(fmt.Sprintf("École %02d", CrowdedCount-i), "CA", "QC", CrowdedLat, 0,
			derived.SchoolDetails{Levels: "elementary"}))
	}
	return all
}

func (w *world) writeSchools(out *pack.Writer, m *schemas.Manifest) error {
	table, err := schools.NewWriter("")
	if err != nil {
		return err
	}
	defer table.Close()
	for _, s := range w.schools {
		if err := table.Add(&s); err != nil {
			return err
		}
		m.Counts.Schools++
		m.Counts.Catchments += int64(len(s.Catchments))
	}
	return table.Finish(out)
}
