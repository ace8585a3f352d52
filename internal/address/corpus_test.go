package address

import (
	"bufio"
	"compress/gzip"
	"encoding/xml"
	"os"
	"strings"
	"testing"

	"quartier/internal/testenv"
)

// tagged is a corpus of typed addresses whose words were tagged by people.
type tagged struct {
	Addresses []struct {
		Words []struct {
			XMLName xml.Name
			Text    string `xml:",chardata"`
		} `xml:",any"`
	} `xml:"AddressString"`
}

// TestTaggedUS compares the parts of 687 addresses of all states with the tags of people.
func TestTaggedUS(t *testing.T) {
	file, err := os.ReadFile(testenv.NeedData(t, "formats/addresses/usaddress/us50_test_tagged.xml"))
	if err != nil {
		t.Fatal(err)
	}
	var corpus tagged
	if err := xml.Unmarshal(file, &corpus); err != nil {
		t.Fatal(err)
	}
	wrong := map[string]int{}
	for _, tags := range corpus.Addresses {
		part, line := map[string]string{}, ""
		for _, w := range tags.Words {
			part[w.XMLName.Local] = strings.TrimSpace(part[w.XMLName.Local] + " " + w.Text)
			line += w.Text + " "
		}
		a := Read(line)
		differ := func(name, want string, got ...string) {
			for _, g := range got {
				if want == "" || g == want {
					return
				}
			}
			wrong[name]++
			t.Logf("%s: %s is %q, want %q", line, name, got, want)
		}
		numbers := []string{squeezed(a.Number.String())}
		for _, n := range a.Other {
			numbers = append(numbers, squeezed(n.String()))
		}
		differ("number", squeezed(part["AddressNumber"]), numbers...)
		differ("unit", Unit(part["OccupancyIdentifier"]), a.Unit)
		differ("ZIP", squeezed(part["ZipCode"]), a.Postal)
		var streets []string
		for r := range a.Streets {
			streets = append(streets, r.Street.Name)
		}
		if part["AddressNumber"] != "" {
			differ("street", ReadStreet(strings.Trim(part["StreetName"], ", ")).Name, streets...)
		}
	}
	t.Logf("%d addresses, wrong: %v", len(corpus.Addresses), wrong)
	if len(corpus.Addresses) != 687 || wrong["number"] > 6 || wrong["street"] > 9 || wrong["unit"] > 2 || wrong["ZIP"] > 0 {
		t.Errorf("%d addresses, wrong: %v", len(corpus.Addresses), wrong)
	}
}

// TestTaggedWinnipeg compares the parts of 56,320 civic addresses with the classes of their characters.
func TestTaggedWinnipeg(t *testing.T) {
	file, err := os.Open(testenv.NeedData(t, "formats/addresses/canada-parser/winnipeg_tagged.csv.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	text, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	rows, wrong := 0, 0
	for lines := bufio.NewScanner(text); lines.Scan(); rows++ {
		line, classes, _ := strings.Cut(lines.Text(), "|")
		part := map[string]string{}
		for i, class := range strings.Fields(classes) {
			if class == "0" {
				for c := range part {
					part[c] += " "
				}
			} else {
				part[class] += line[i : i+1]
			}
		}
		a := Read(line)
		unit := strings.TrimPrefix(strings.TrimPrefix(squeezed(part["1"]), "unit"), "bldg")
		half := strings.HasSuffix(strings.TrimSpace(part["2"]), " 12") // 1/2 without its stroke
		right := a.Unit == unit && (squeezed(a.Number.String()) == squeezed(part["2"]) || half)
		for r := range a.Streets {
			right = right && r.Street == ReadStreet(part["3"]+part["4"]+part["6"])
			break
		}
		if !right {
			wrong++
			if wrong <= 20 {
				t.Logf("%s: unit %q, number %v, %v", line, a.Unit, a.Number, part)
			}
		}
	}
	t.Logf("%d of %d are wrong", wrong, rows)
	if rows != 56320 || wrong > rows/500 {
		t.Errorf("%d of %d are wrong", wrong, rows)
	}
}
