package city

import (
	"bufio"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"

	"quartier/bench/fail"

	"github.com/paulmach/orb"
)

// District is a synthetic list of schools, side by side by side of them, at least 300 m from each other; every second one
// has a catchment of 90 vertices.
type District struct{ Side int } // number of schools along one side

const (
	districtWest, districtSouth = -101.8, 40.2
	schoolLng, schoolLat        = 0.0084, 0.0069 // degrees, about 710 by 770 m
	catchmentVertices           = 90
)

// Schools is how many there are.
func (d District) Schools() int { return d.Side * d.Side }

// Catchments is how many there are.
func (d District) Catchments() int { return (d.Schools() + 1) / 2 }

// at is the position of a school.
func (d District) at(n int) orb.Point {
	r := rand.New(rand.NewPCG(uint64(n), 5))
	return orb.Point{
		districtWest + (float64(n%d.Side)+0.5*(r.Float64()-0.5))*schoolLng,
		districtSouth + (float64(n/d.Side)+0.5*(r.Float64()-0.5))*schoolLat,
	}
}

// Write writes the sources of the district with their region and release files.
func (d District) Write(dir string) {
	fail.Check(os.MkdirAll(dir, 0o755))
	west, south := districtWest-schoolLng, districtSouth-schoolLat
	east, north := west+float64(d.Side+2)*schoolLng, south+float64(d.Side+2)*schoolLat
	frame := orb.MultiPolygon{{{{west, south}, {east, south}, {east, north}, {west, north}, {west, south}}}}
	for _, f := range []struct{ name, id string }{{"country", "US"}, {"state", "31"}} {
		fail.Check(WriteGeoJSON(filepath.Join(dir, f.name+".geojson"), []string{f.id}, []orb.MultiPolygon{frame}))
	}
	d.writeSchools(filepath.Join(dir, "schools.csv"))
	d.writeCatchments(filepath.Join(dir, "catchments.geojson"))
	fail.Check(os.WriteFile(filepath.Join(dir, "district.yaml"), []byte(districtRegion), 0o644))
	fail.Check(os.WriteFile(filepath.Join(dir, "release.yaml"), []byte("release: district\nregions: [district.yaml]\n"), 0o644))
}

const districtRegion = `region: us-district
title: Synthetic schools
country: US
state: NE
sources:
  - {id: country, kind: boundaries, path: country.geojson, as_of: 2023-01-01, licence: invented, attribution: invented, options: {level: 70, country: US, scheme: "census:country", key: id, name: name}}
  - {id: state, kind: boundaries, path: state.geojson, as_of: 2023-01-01, licence: invented, attribution: invented, options: {level: 60, scheme: "census:state", key: id, name: name, state: NE}}
  - {id: schools, kind: schools, path: schools.csv, as_of: 2024-01-01, licence: invented, attribution: invented, options: {id: "nces:{ID}", name: NAME, lng: LNG, lat: LAT, grades: GRADES, type: public, address: ADDRESS, city: CITY, postal_code: ZIP, phone: PHONE, url: URL, board: BOARD, figures: {students: STUDENTS, student_teacher_ratio: RATIO, charter: CHARTER}}}
  - {id: catchments, kind: catchments, path: catchments.geojson, as_of: 2024-01-01, licence: invented, attribution: invented, options: {school_id: "nces:{ID}", level_of: LEVEL}}
`

// gradesOf are the grades of schools in turn, and levelsOf the level of the catchment of each.
var (
	gradesOf = []string{"PK-5", "K-5", "K-8", "6-8", "9-12"}
	levelsOf = []string{"Elementary", "Elementary", "Elementary", "Middle", "High"}
)

func (d District) writeSchools(path string) {
	file := fail.Must(os.Create(path))
	out := bufio.NewWriter(file)
	fmt.Fprintln(out, "ID,NAME,LNG,LAT,GRADES,ADDRESS,CITY,ZIP,PHONE,URL,BOARD,STUDENTS,RATIO,CHARTER")
	r := rand.New(rand.NewPCG(6, 6))
	for n := range d.Schools() {
		p := d.at(n)
		fmt.Fprintf(out,
			"31%010d,Prairie School Number %d,%.6f,%.6f,%s,%d Main Street,Springfield,68%03d,402-555-%04d,https://schools.example/%d,District "+
				"%d,%d,%.1f,%t\n",
			n, n, p[0], p[1], gradesOf[n%len(gradesOf)], r.IntN(9999), r.IntN(900), r.IntN(10000), n, n/500, r.IntN(1500), 10+10*r.Float64(),
			n%20 == 0)
	}
	fail.Check(out.Flush())
	fail.Check(file.Close())
}

func (d District) writeCatchments(path string) {
	file := fail.Must(os.Create(path))
	out := bufio.NewWriter(file)
	fmt.Fprint(out, `{"type":"FeatureCollection","features":[`)
	for n := 0; n < d.Schools(); n += 2 {
		if n > 0 {
			fmt.Fprint(out, ",")
		}
		fmt.Fprintf(out, `{"type":"Feature","properties":{"ID":"31%010d","LEVEL":%q},"geometry":{"type":"Polygon","coordinates":[[`, n,
			levelsOf[n%len(levelsOf)])
		p, r := d.at(n), rand.New(rand.NewPCG(uint64(n), 7))
		first := ""
		for i := range catchmentVertices {
			sin, cos := math.Sincos(2 * math.Pi * float64(i) / catchmentVertices)
			far := 1 + r.Float64()
			vertex := fmt.Sprintf("[%.7f,%.7f]", p[0]+far*cos*schoolLng, p[1]+far*sin*schoolLat)
			if i == 0 {
				first = vertex
			}
			fmt.Fprint(out, vertex, ",")
		}
		fmt.Fprint(out, first, "]]}}")
	}
	fmt.Fprintln(out, "]}")
	fail.Check(out.Flush())
	fail.Check(file.Close())
}
