package addresses

import (
	"strings"
	"testing"

	"quartier/internal/address"
	"quartier/internal/coord"
)

// written is addresses of Canada and the United States as tables have them, each with ways in which people write it.
const written = `
12 | rue de l'Église | Québec | CA_QC | G1K4A5
	12, rue de l'Église, Québec (Québec) G1K 4A5
	12 rue Eglise Quebec QC
	12 de l'Eglise, Quebec
	Apt 3, 12 rue de l'Église, Québec
	3-12, rue de l’Église, Québec
	12 r. de l'Église Québec City QC
1500 | boulevard Saint-Laurent Est | Montréal | CA_QC | H2X2S4
	1500 boul. St-Laurent E, Montréal
	1500 boul St Laurent Est Montreal QC
	1500, bd Saint-Laurent est, bureau 210, Montréal
	1500 Saint Laurent Blvd E, Montreal, Quebec
	1500 blvd. St. Laurent E Montreal
	1500, boul. Saint-Laurent E., 2e étage, Montréal (QC) H2X 2S4
3455 | 3e Avenue | Québec | CA_QC | G1L2V9
	3455, 3e Avenue, Québec
	3455 3ième avenue Québec
	3455 3rd Ave, Quebec QC
	3455 Troisième Avenue, Québec
	3455 3e Av Québec
	3455 3 Avenue, Québec, QC
210 | montée de la Source | Cantley | CA_QC | J8V3J2
	210, montée de la Source, Cantley
	210 mtée de la Source Cantley QC
	210 Montee Source, Cantley
	210 Mtee de la source, Cantley, QC J8V 3J2
415 | rang Saint-Jean-Baptiste | Saint-Élie | CA_QC | G0X2N0
	415 rg St-Jean-Baptiste, St-Elie
	415, Rang St-Jean Baptiste, Saint-Elie QC
1027 | route 117 | Val-David | CA_QC | J0T2N0
	1027 rte 117, Val-David QC
	1027, Route 117, Val David
	1027 Hwy 117, Val-David
99 | chemin du Tour-du-Lac | Lac-Beauport | CA_QC | G3B0A1
	99 ch. Tour du Lac, Lac Beauport
	99 ch du tour-du-lac Lac-Beauport QC G3B0A1
750 | boul. Charlemagne Blvd | Ottawa | CA_ON | K4A3M4
	750 Charlemagne Blvd, Ottawa
	750 boulevard Charlemagne, Ottawa (Ontario)
	750 Charlemagne Boulevard Orleans ON K4A 3M4
	750 Charlemagne, Ottawa
5300 | Canotek Rd | Ottawa | CA_ON | K1J8R7
	#5-5300 Canotek Road, Ottawa
	5300 Canotek Road Unit 5 Ottawa
	Unit 5 - 5300 Canotek Rd. Ottawa Ont
	5300 ch. Canotek, Ottawa
	5-5300 Canotek Rd Ottawa ON K1J8R7 Canada
1420 | Highway 7A | Port Perry | CA_ON | L9L1B5
	1420 Hwy 7A, Port Perry
	1420 Hwy. 7A Port Perry ON
	1420 Hwy #7A, Port Perry
2381 | Concession Rd 8 | Utopia | CA_ON | L0M1T0
	2381 Concession Road 8, Utopia ON
	2381 Conc Rd 8, Utopia
4521 | Fourth Line | Erin | CA_ON | N0B1T0
	4521 4th Line, Erin
	4521 Fourth Line, Erin ON N0B 1T0
	4521 Line 4, Erin
30 | St. Clair Avenue West | Toronto | CA_ON | M4V3A1
	30 St Clair Ave W, Toronto
	30 Saint Clair Avenue W Toronto ON
	30 St. Clair W, Toronto
	30 St.Clair Ave.West Toronto
	30 St Clair Ave W 4th Floor Toronto
10342 | 107 Street NW | Edmonton | CA_AB | T5J1K2
	10342 107 St NW, Edmonton AB
	10342 - 107 Street NW Edmonton
	10342 107th St. N.W., Edmonton
	10342-107 St Edmonton
	#200, 10342 - 107 Street NW, Edmonton, Alberta T5J 1K2
	200 10342 107 ST NW EDMONTON AB
1122 | 4 St SW | Calgary | CA_AB | T2R1M1
	1122 4th Street SW, Calgary
	1122 Fourth St. S.W. Calgary AB
	#500 1122 4 Street S.W., Calgary
53309 | Range Road 232 | Ardrossan | CA_AB | T8G2A1
	53309 RGE RD 232, Ardrossan AB
	53309 Range Rd 232 Ardrossan
	53309 RR 232, Ardrossan AB
4390 | Highway 33 | Beaverdell | CA_BC | V0H1A0
	4390 Hwy 33 Beaverdell BC
	4390 Hwy. #33, Beaverdell
	4390 HWY 33 N, BEAVERDELL
35-20 | 147th Street | Flushing | US_NY | 11354
	35-20 147th St, Flushing, NY 11354
	35-20 147 Street Flushing NY
	3520 147th St, Flushing NY 11354
	35-20 147th St Apt 4B, Flushing NY 11354
	35 20 147th St, Flushing NY
350 | 5th Avenue | New York | US_NY | 10118
	350 Fifth Ave, New York, NY 10118
	350 5th Ave Fl 34 New York NY 10118-0110
	350 5 Ave, New York City, NY
	350 Fifth Avenue, 34th Floor, New York, New York 10118
	350 5TH AVE NEW YORK NY
	350 5th Ave., NYC
200 | West 57th Street | New York | US_NY | 10019
	200 W 57th St, New York NY
	200 W. 57 St. Suite 907, New York
	200 West Fifty-Seventh Street, New York
1600 | Pennsylvania Ave NW | Washington | US_DC | 20500
	1600 Pennsylvania Avenue Northwest, Washington DC
	1600 Pennsylvania Ave. N.W., Washington, D.C. 20500
	1600 Pennsylvania Ave NW Washington, District of Columbia
	1600 NW Pennsylvania Ave, Washington DC
525 | N 400 E | Provo | US_UT | 84606
	525 North 400 East, Provo UT
	525 N. 400 E. Provo, Utah 84606
	525 N 400 E Apt 12, Provo
	525 N 400 East Street, Provo UT
W156N8480 | Pilgrim Rd | Menomonee Falls | US_WI | 53051
	W156 N8480 Pilgrim Road, Menomonee Falls, WI
	W156N8480 Pilgrim Rd Menomonee Falls WI 53051
	W 156 N 8480 Pilgrim Rd, Menomonee Falls WI
123 1/2 | E Main St | Ventura | US_CA | 93001
	123 1/2 East Main Street, Ventura
	123½ E Main St Ventura CA
	123-1/2 E. Main St., Ventura, CA 93001
18 B | Elm Street | Salem | US_MA | 01970
	18B Elm St, Salem MA 01970
	18-B Elm St Salem Mass
	18 B Elm St, Salem, MA
1201 | State Route 9 | Albany | US_NY | 12205
	1201 SR 9, Albany NY
	1201 NY-9, Albany NY
	1201 Rte 9, Albany
	1201 St Rt 9, Albany NY
	1201 State Hwy 9 Albany NY
7100 | US Highway 60 | Republic | US_MO | 65738
	7100 US Hwy 60, Republic MO
	7100 US-60, Republic, MO 65738
	7100 Highway 60, Republic
	7100 U.S. 60, Republic MO
	7100 W US Highway 60, Republic, Missouri
2425 | County Road 12 | Auburn | US_IN | 46706
	2425 CR 12, Auburn IN
	2425 County Rd 12, Auburn
	2425 Co Rd 12 Auburn IN 46706
	2425 Co. Rd. 12, Auburn
5801 | Farm to Market Road 1960 | Humble | US_TX | 77346
	5801 FM 1960, Humble TX
	5801 FM-1960 Rd, Humble
	5801 Farm Road 1960, Humble TX 77346
900 | Martin Luther King Jr Blvd | Seattle | US_WA | 98144
	900 Martin Luther King Junior Boulevard, Seattle
	900 Martin Luther King Blvd, Seattle WA
	900 MLK Jr Blvd, Seattle
14 | O'Connor Street | Lowell | US_MA | 01850
	14 OConnor St, Lowell MA
	14 O Connor Street Lowell
	14 O’Connor St Lowell MA 01850
77 | McAllister St | San Francisco | US_CA | 94102
	77 Mc Allister St, San Francisco
	77 MCALLISTER, SF, CA 94102
	77 McAlister Street, San Francisco, Calif.
100 | N St NW | Washington | US_DC | 20001
	100 N Street Northwest, Washington DC
	100 N St. N.W. Washington DC 20001
3200 | Avenue A | Brooklyn | US_NY | 11203
	3200 Ave A, Brooklyn NY
	3200 Ave. A Brooklyn
	3200 A Ave, Brooklyn
1 | Old Mill Rd | St. John's | CA_NL | A1B1A1
	1 Old Mill Road, Saint John's NL
	1 Old Mill Rd St Johns Newfoundland
	1 Old Mill Rd., St. John’s, N.L. A1B 1A1
`

// mostOther is how many of the ways above are not read: RR 232 is a rural route as well.
const mostOther = 1

// TestForms looks up what people write.
func TestForms(t *testing.T) {
	var records []Record
	type way struct {
		line  string
		meant int // index in records
	}
	var ways []way
	for line := range strings.Lines(strings.TrimSpace(written)) {
		f := strings.Split(strings.TrimSpace(line), " | ")
		if len(f) == 1 {
			ways = append(ways, way{f[0], len(records) - 2})
			continue
		}
		country, code, _ := strings.Cut(f[3], "_")
		for _, street := range []string{f[1], "Decoy Lane"} {
			records = append(records, Record{Number: f[0], Street: street, Place: f[2], Region: regionOf(country, code), Postal: f[4],
				Point: coord.Point{Lng: -1200000000 + int32(len(records)/2)*10000000, Lat: 400000000 + int32(len(street))*10000}, Source: "form"})
		}
	}
	table := table(t, records, nil)
	var found Found
	other := 0
	for _, w := range ways {
		table.Find(&Query{Address: address.Read(w.line), Level: Street}, &found)
		r := &records[w.meant]
		if len(found.Matches) != 1 || found.Matches[0].Level != Exact {
			other++
			t.Logf("%s: %s, want %s %s", w.line, show(found.Matches), r.Number, r.Street)
		} else if x, y := r.Point.Degrees(); x != found.Matches[0].Lng || y != found.Matches[0].Lat {
			t.Errorf("%s is %s, want %s %s", w.line, show(found.Matches), r.Number, r.Street)
		}
	}
	if t.Logf("%d of %d are found", len(ways)-other, len(ways)); other > mostOther {
		t.Errorf("%d of %d are not found", other, len(ways))
	}
}
