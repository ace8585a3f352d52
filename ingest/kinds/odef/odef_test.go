package odef

import (
	"strings"
	"testing"

	"quartier/ingest/sourcetest"
	"quartier/internal/testenv"
)

const lines = "any line of text may be the last one"

const current = `Id,Source_ID,Facility_Name,Facility_Type,Authority_Name,ISCED010,ISCED020,ISCED1,ISCED2,ISCED3,ISCED4Plus,OLMS_Status,Full_Addr,Unit,Street_No,Street_Name,City,Prov_Terr,Postal_Code,PRUID,CSDNAME,CSDUID,Longitude,Latitude,Geo_Source,Provider,CMANAME,CMAUID
1,019186,Anna McCrea Public School,Public,Algoma District School Board,1,1,1,1,0,0,0,"250 Mark St Sault Ste Marie ON P6A3M7",..,250,Mark St,Sault Ste Marie,ON,P6A3M7,35,Sault Ste. Marie,3557061,-84.3,46.5,Provider,Province of Ontario,..,..
2,000231,École Saint-Vital,Catholic,Conseil scolaire catholique,0,0,0,1,1,0,1,"1, rue Principale Ottawa ON K1A0B1",..,..,..,Ottawa,ON,K1A 0B1,35,Ottawa,3506008,45.4,-75.7,ODEF,Province of Ontario,Ottawa - Gatineau,505
3,..,Adult Learning Centre,Public,..,0,0,0,0,0,1,..,..,..,..,..,Ottawa,ON,..,35,Ottawa,3506008,-75.7,45.4,ODEF,..,..,..
4,..,Greenfield School,Private,..,..,..,..,..,..,..,1,..,..,..,..,Gatineau,..,..,24,Gatineau,2481017,..,..,..,..,..,..
5,..,..,Private,..,0,0,1,0,0,0,0,..,..,..,..,Ottawa,ON,..,35,Ottawa,3506008,-75.7,45.4,ODEF,..,..,..
6,..,Far School,Other,..,0,0,1,0,0,0,0,..,..,..,..,Ottawa,ON,..,35,Ottawa,3506008,-100.2,45.4,ODEF,..,..,..
`

const third = "\ufeffunique_id,province_code,geocode,source_id,provider,authority_id,authority_name,full_address,school_id,facility_name," +
	"streetAddress,postalCode,addressLocality,min_grade,max_grade,ISCED010,ISCED020,ISCED1,ISCED2,ISCED3,ISCED4Plus,is_OLMS," +
	"french_immersion,early_immersion,middle_immersion,late_immersion,facility_type,dguid,csdname,geometry,date_updated\n" +
	"a1,QC,24,7,MEQ,b1,CSS Marie-Victorin,\"1 rue du Parc, Longueuil\",S-01,École du Parc,1 rue du Parc,J4H 1A1,Longueuil,k,6,1,1,1,1,0,0,0," +
	"0,0,0,0,Public school,2021A00052458227,Longueuil,POINT (-73.5 45.5),2024-08-01\n" +
	"a2,QC,24,7,MEQ,b2,Riverside,..,S-02,Park School,2 Park Street,J4H 1A2,Longueuil,..,..,0,0,0,0,1,0,1,1,0,0,1,Public school,..,Longueuil," +
	"POINT (-73.6 45.6),2024-08-01\n" +
	"a3,NU,62,9,North,..,..,..,..,Northern School,..,..,..,8,8,0,0,0,1,0,0,..,0,0,0,0,..,..,..,..,2024-07-15\n" +
	"a4,NU,62,9,North,..,..,..,..,Learning Centre,..,..,..,..,..,0,0,0,0,0,1,..,0,0,0,0,..,..,..,..,2024-07-15\n"

func TestConformance(t *testing.T) {
	data := testenv.Data("ca-ottawa/odef") + "/"
	sourcetest.Run(t, Kind,
		sourcetest.Case{
			Name: "version 2.1", Path: sourcetest.File(t, "odef_v2_1.csv", current), AnyLength: lines, Read: 6,
			Issues: map[string]int64{"adult_education": 1, "missing_name": 1, "swapped_coordinates": 1, "outside_state": 1,
				"unknown_school_type": 1},
			Rows: map[string]string{
				"SELECT source_key, authority_id, name, lng, geocoded, levels, types, languages, address, postal_code, state_code, board_name FROM " +
					"school ORDER BY 1": "" +
					"odef:1|on:019186|Anna McCrea Public School|-84.3|false|preschool,elementary,middle|public|∅|250 Mark St|P6A 3M7|ON|Algoma District " +
					"School Board\n" +
					"odef:2|on:000231|École Saint-Vital|-75.7|true|middle,secondary|public|fr|1, rue Principale|K1A 0B1|ON|Conseil scolaire catholique\n" +
					"odef:4|∅|Greenfield School|∅|true|∅|private|en|∅|∅|QC|∅",
			},
		},
		sourcetest.Case{
			Name: "version 3", Path: sourcetest.File(t, "odef_v3.csv", third), AnyLength: lines, Read: 4,
			Issues: map[string]int64{"adult_education": 1},
			Rows: map[string]string{
				"SELECT source_key, authority_id, name, lng, lat, geocoded, grades, levels, types, languages, address, city, postal_code, " +
					"state_code, board_name FROM school ORDER BY 1": "" +
					"odef:a1|qc:S-01|École du Parc|-73.5|45.5|true|K-6|∅|public|∅|1 rue du Parc|Longueuil|J4H 1A1|QC|" +
					"CSS Marie-Victorin\n" +
					"odef:a2|qc:S-02|Park School|-73.6|45.6|true|∅|secondary|public|en|2 Park Street|Longueuil|J4H 1A2|QC|Riverside\n" +
					"odef:a3|∅|Northern School|∅|∅|true|8|∅|∅|∅|∅|∅|∅|NU|∅",
			},
		},
		sourcetest.Case{
			Name: "version 3 as published", Path: testenv.Data("formats/layouts/odef_v3_0_1_fixture.csv"), AnyLength: lines, Read: 3,
			Issues: map[string]int64{"adult_education": 1, "repeated_school_id": 1},
		},
		sourcetest.Case{
			Name: "13 columns, Latin-1", Path: data + "odef_v2_subset_13cols.csv", AnyLength: lines, Read: 11899,
			Options: "where: {CSDNAME: Ottawa}",
			Issues:  map[string]int64{"excluded_by_option: where": 11509},
			Rows: map[string]string{
				"SELECT count(*), count(lng), count(DISTINCT source_key) FROM school": "390|390|390",
				"SELECT types, count(*) FROM school GROUP BY 1 ORDER BY 1":            "private|60\npublic|330",
			},
		},
		sourcetest.Case{
			Name: "22 columns, y and n", Path: data + "lode_odef_v1_like_19cols.csv", AnyLength: lines, Read: 18344,
			Issues: map[string]int64{"adult_education": 1939, "swapped_coordinates": 4786, "coordinate_out_of_range": 1, "outside_north_america": 2,
				"unknown_school_type": 411},
			Rows: map[string]string{
				"SELECT count(*) FROM school WHERE source_key LIKE '%.0'":                              "0",
				"SELECT name, levels, types, state_code FROM school WHERE source_key = 'odef:1100001'": "alberton elementary school|∅|public|PE",
			},
		},
		sourcetest.Case{
			Name: "grades and no coordinates", Path: data + "lode_on_parsed.csv", AnyLength: lines, Read: 6414,
			Issues: map[string]int64{"encoded_twice": 528},
			Rows: map[string]string{
				"SELECT authority_id, grades, levels, lng, address, city, postal_code FROM school WHERE name = 'Anna McCrea Public " +
					"School'": "on:019186|JK-8|∅|∅|250 mark st|Sault Ste Marie|P6A 3M7",
				"SELECT grades, count(*) FROM school GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 4": "JK-8|" +
					"2527\n∅|1495\n9-12|913\nJK-6|869",
			},
		},
	)
}

func FuzzColumns(f *testing.F) {
	f.Add("Facility_Name,ISCED1,ISCED2,ISCED3,Prov_Terr")
	f.Add("institution_name,isced1")
	f.Fuzz(func(t *testing.T, header string) {
		names := strings.Split(header, ",")
		c := columnsOf(names)
		if err := c.check("f", names); err == nil && (c["facility_name"] == "" || c["prov_terr"] == "") {
			t.Errorf("%q passes as %v", header, c)
		}
	})
}
