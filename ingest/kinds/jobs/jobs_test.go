package jobs

import (
	"bytes"
	"compress/gzip"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"quartier/ingest/source"
	"quartier/ingest/sourcetest"
	"quartier/internal/testenv"
	"quartier/schemas"
)

// sectorNames and earningNames are columns of LODES.
const (
	sectorNames  = "CNS01,CNS02,CNS03,CNS04,CNS05,CNS06,CNS07,CNS08,CNS09,CNS10,CNS11,CNS12,CNS13,CNS14,CNS15,CNS16,CNS17,CNS18,CNS19,CNS20"
	earningNames = "CE01,CE02,CE03"
	header       = "w_geocode,C000," + earningNames + "," + sectorNames + ",createdate\n"
	zeros        = "0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0"
)

const wac = header +
	"500110101001000,3,1,1,1,1,2," + zeros + ",20231016\n" +
	"90110101001001,2,0,0,2,0,2," + zeros + ",20231016\n" + // Connecticut's, without its zero
	"500110101001002,5,1,1,1,0,5," + zeros + ",20231016\n" +
	"500110101001003,4,2,1,1,0,5," + zeros + ",20231016\n" +
	"500110101001004,0,0,0,0,0,0," + zeros + ",20231016\n" +
	"500110101001005,-4,0,0,-4,-4,0," + zeros + ",20231016\n" +
	"500110101001006,many,0,0,0,0,0," + zeros + ",20231016\n" +
	"500110101001000,3,1,1,1,1,2," + zeros + ",20231016\n" +
	"50011010100100X,3,1,1,1,1,2," + zeros + ",20231016\n" +
	",3,1,1,1,1,2," + zeros + ",20231016\n"

const statcanTable = "REF_DATE,GEO,DGUID,Place of work,VALUE,STATUS\n" +
	"2021,Canada,2021A000011124,Usual place,1000000,\n" +
	"2021,Area 1,2021S051224470123,Usual place,120,\n" +
	"2021,Area 1,2021S051224470123,At home,35,\n" +
	"2021,Area 2,2021S051224470124,Usual place,x,\n" +
	"2021,Block,2021S051324470123001,Usual place,40,\n" +
	"2021,Area 3,24470125,Usual place,7,\n"

const points = "id;nom;lon;lat;emplois;scian\n" +
	"a;Usine;-73,01;45,02;120,5;3361\nb;École;-73,02;45,03;30;61\nc;Camion;-73,03;45,03;3;99\nd;Nulle part;;;3;61\ne;Loin;10;50;3;61\n"

const features = `{"type": "FeatureCollection", "features": [
{"type": "Feature", "properties": {"n": 12, "code": "62"}, "geometry": {"type": "Point", "coordinates": [-73, 45]}},
{"type": "Feature", "properties": {"n": 8, "code": "48"}, "geometry": {"type": "MultiPoint", "coordinates": [[-73.1, 45]]}},
{"type": "Feature", "properties": {"n": 8}, "geometry": {"type": "LineString", "coordinates": [[-73.1, 45], [-73.2, 45]]}},
{"type": "Feature", "properties": {"n": 8}, "geometry": null}
]}`

func TestConformance(t *testing.T) {
	const rows = "SELECT source_key, lng, lat, jobs, sectors, earnings FROM job ORDER BY source_key"
	lodesRows := map[string]string{rows: "census:block:090110101001001|∅|∅|2000|" +
		"[0,2000,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0]|[0,0,2000]\n" +
		"census:block:500110101001000|∅|∅|3000|[1000,2000,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0]|[1000,1000,1000]\n" +
		"census:block:500110101001002|∅|∅|5000|[0,5000,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0]|∅\n" +
		"census:block:500110101001003|∅|∅|4000|∅|[2000,1000,1000]"}
	lodesIssues := map[string]int64{"job_parts_removed: sectors": 1, "job_parts_removed: earnings": 1, "no_jobs": 1, "negative_count": 1,
		"invalid_jobs": 1, "duplicate_key": 1, "invalid_area_key": 1, "missing_key": 1}
	sourcetest.Run(t, Kind,
		sourcetest.Case{
			Name: "LODES 8", Path: sourcetest.File(t, "vt_wac_S000_JT00_2021.csv", wac), Options: "layout: lodes8-wac", Read: 10,
			Rows: lodesRows, Issues: lodesIssues, AnyLength: "rows of text",
		},
		sourcetest.Case{
			Name: "LODES 8 as it is downloaded", Path: packed(t, "vt_wac_S000_JT00_2021.csv.gz", wac), Options: "layout: lodes8-wac", Read: 10,
			Rows: lodesRows, Issues: lodesIssues,
		},
		sourcetest.Case{
			Name: "LODES 8 of Washington", Path: testenv.Data("us-dc/lodes/DC_2021_wac.csv.gz"), Options: "layout: lodes8-wac", Read: 3860,
			Rows: map[string]string{
				"SELECT count(*), sum(jobs), max(jobs) FROM job":                          "3860|624377000|15245000",
				"SELECT count(DISTINCT left(source_key, 25)) FROM job":                    "570", // block groups
				"SELECT count(DISTINCT left(source_key, 24)) FROM job":                    "206", // tracts
				"SELECT count(*) FROM job WHERE sectors IS NULL OR earnings IS NULL":      "0",
				"SELECT sum(list_sum(CAST(CAST(sectors AS JSON) AS BIGINT[]))) FROM job":  "624377000",
				"SELECT sum(list_sum(CAST(CAST(earnings AS JSON) AS BIGINT[]))) FROM job": "624377000",
			},
		},
		sourcetest.Case{
			Name: "a table of Statistics Canada", Path: sourcetest.File(t, "98100000.csv", statcanTable),
			Options: "layout: statcan-table\nwhere: {Place of work: Usual place}", Read: 6, AnyLength: "rows of text",
			Rows: map[string]string{rows: "statcan:da:24470123|∅|∅|120000|∅|∅\nstatcan:db:24470123001|∅|∅|40000|∅|∅"},
			Issues: map[string]int64{"excluded_by_option: where": 1, "unread_summary_level": 1, "no_jobs": 1,
				"invalid_area_key": 1},
		},
		sourcetest.Case{
			Name: "points in a table", Path: sourcetest.File(t, "emplois.csv", points),
			Options: "key: id\nlng: lon\nlat: lat\njobs: emplois\nsector: scian", Read: 5, AnyLength: "rows of text",
			Rows: map[string]string{rows: "under-test:a|-73.01|45.02|120500|[0,0,0,0,120500,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0]|∅\n" +
				"under-test:b|-73.02|45.03|30000|[0,0,0,0,0,0,0,0,0,0,0,0,0,0,30000,0,0,0,0,0]|∅\nunder-test:c|-73.03|45.03|3000|∅|∅"},
			Issues: map[string]int64{"unknown_sector_removed": 1, "missing_geometry": 1, "outside_north_america": 1, "decimal_comma_found": 3,
				"delimiter_found": 1},
		},
		sourcetest.Case{
			Name: "points in GeoJSON", Path: sourcetest.File(t, "jobs.geojson", features), Options: "jobs: n\nsector: code", Read: 4,
			Rows: map[string]string{rows: "under-test:1|-73|45|12000|[0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,12000,0,0,0,0]|∅\n" +
				"under-test:2|-73.1|45|8000|[0,0,0,0,0,0,0,8000,0,0,0,0,0,0,0,0,0,0,0,0]|∅"},
			Issues: map[string]int64{"missing_geometry": 1, "wrong_geometry_type": 1},
		},
	)
}

// packed writes a file with gzip.
func packed(t *testing.T, name, text string) string {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return sourcetest.File(t, name, b.String())
}

// Files by the blocks of 2010 have the same columns, and many of their codes are those of other blocks of 2020.
func TestLODES7IsRefused(t *testing.T) {
	path := packed(t, "vt_wac_S000_JT00_2017.csv.gz", strings.ReplaceAll(wac, "20231016", "20190826"))
	in := source.Input{Source: "jobs", Path: path, Options: sourcetest.Options(t, "layout: lodes8-wac")}
	for what, err := range map[string]error{"Check": Kind.Check(t.Context(), in), "Stage": Kind.Stage(t.Context(), in, &sourcetest.Record{})} {
		if !errors.Is(err, source.ErrBadFile) || !strings.Contains(err.Error(), "LODES 7") ||
			!strings.Contains(err.Error(), filepath.Base(path)) {
			t.Errorf("%s: %v", what, err)
		}
	}
}

func TestOptions(t *testing.T) {
	path := sourcetest.File(t, "jobs.csv", "id,n\n1,2\n")
	for options, want := range map[string]string{
		"{}":                            "jobs: is missing",
		"jobs: n":                       "set the option wkt, lat_lng, or lng and lat",
		"jobs: n\nscheme: census:block": "key: is missing",
		"jobs: n\nkey: id\nscheme: census:county":                  "scheme",
		"jobs: n\nkey: id\nscheme: census:block\nlng: x\nlat: y":   "scheme: is of areas",
		"jobs: n\nkey: id\nscheme: census:block\nsectors: [a, b]":  "sectors: are 2 attributes, not 20",
		"jobs: n\nkey: id\nscheme: census:block\nearnings: [a, b]": "earnings: are 2 attributes, not 3",
		"jobs: m\nkey: id\nscheme: census:block":                   "no column m",
		"layout: lodes8-wac":                                       "no column",
		"layout: lodes9":                                           "lodes8-wac, statcan-table",
	} {
		err := Kind.Check(t.Context(), source.Input{Source: "jobs", Path: path, Options: sourcetest.Options(t, options)})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", options, err, want)
		}
	}
}

func TestSectorOf(t *testing.T) {
	for code, want := range map[string]string{"11": "11", "3361": "31-33", "32": "31-33", "44-45": "44-45", "49": "48-49", "92": "92",
		"99": "", "4": "", "": "", "43": "", "Retail": ""} {
		got := ""
		if i := sectorOf(code); i >= 0 {
			got = schemas.JobSectors[i]
		}
		if got != want {
			t.Errorf("sector %q is %q, want %q", code, got, want)
		}
	}
}
