package batch

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/urfave/cli/v2"

	"quartier/internal/address"
	"quartier/internal/arrowfile"
	"quartier/serve/enrich"
	"quartier/serve/servetest"
)

// addressRow is a written address with what is found for it, and the status.
type addressRow struct{ written, level, matched, changed, status string }

var addressRows = []addressRow{
	{"12, rue de l'Église, Northville (Québec)", "exact", servetest.NorthAddress, "", "ok"},
	{"14 MAIN STREET SOUTHVILLE VERMONT 05001", "exact", servetest.SouthAddress, "", "ok"},
	{"14 Mian St, Southville, VT", "exact", servetest.SouthAddress, "street_name", "ok"},
	{"Apt 5, 14 Main Ave, Southville, VT 05009", "exact", servetest.SouthAddress, "street_type,unit,postal_code", "ok"},
	{"13 Main St, Southville, VT", "none", "", "", "not_found"}, // no number of its side is there
	{"3 Twice St, VT", "ambiguous", "3 Twice St, Southville, VT 05001 | 3 Twice St, Westville, VT 05002", "", "ambiguous"},
	{"999 Nowhere Blvd, Southville, VT", "none", "", "", "not_found"},
	{"10 Downing Street, London SW1A 2AA, United Kingdom", "none", "", "", "not_found"},
	{"10, rue de Rivoli, 75004 Paris, France", "none", "", "", "not_found"},
	{"10 Downing Street, London SW1A 2AA", "none", "", "", "not_found"},
	{"1 rue de Rivoli, Paris", "none", "", "", "not_found"},
	{"PO Box 12, Southville VT 05001", "none", "", "", "no_address"},
	{"RR 2, Northville QC", "none", "", "", "no_address"},
	{"Main St & Border Rd, Southville VT", "none", "", "", "no_address"},
	{"", "none", "", "", "no_address"},
	{"   ", "none", "", "", "no_address"},
	{"?!…", "none", "", "", "no_address"},
	{"45.2", "none", "", "", "not_found"},
	{"jane@example.com", "none", "", "", "not_found"},
	{"2024-01-01", "none", "", "", "not_found"},
	{"'; DROP TABLE address; --", "none", "", "", "not_found"},
	{`<script>alert("14 Main St")</script>`, "none", "", "", "not_found"},
	{strings.Repeat("14 Main St, ", 900), "none", "", "", "no_address"},
	{"14 Main\nSouthville\nVT", "exact", servetest.SouthAddress, "street_type", "ok"},
}

// addressFile is a CSV file of the rows.
func addressFile(t *testing.T, header string, cells func(addressRow) []string) string {
	t.Helper()
	var text strings.Builder
	w := csv.NewWriter(&text)
	must(t, w.Write(strings.Split(header, ",")))
	for _, r := range addressRows {
		must(t, w.Write(cells(r)))
	}
	w.Flush()
	return text.String()
}

func records(t *testing.T, path string) [][]string {
	t.Helper()
	all, err := csv.NewReader(strings.NewReader(read(t, path))).ReadAll()
	must(t, err)
	return all
}

// atAddresses is a world whose rows have addresses.
func atAddresses(t testing.TB, level string, add ...string) *enrich.Enricher {
	return world(t, enrich.Choice{AddressLevel: level, Add: add})
}

// TestAddresses finds the addresses of rows, good and bad: each row has a status, and none of another level than asked for.
func TestAddresses(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out.csv")
	s, said, err := run(t, atAddresses(t, "range", "geographies"), addressFile(t, "id,where",
		func(r addressRow) []string { return []string{"x", r.written} }), Options{Out: out, Address: "where", AddressLevel: "range"})
	must(t, err)
	all := records(t, out)
	column := func(name string) int { return slices.Index(all[0], name) }
	for i, want := range addressRows {
		row := all[i+1]
		got := addressRow{want.written, row[column("address_level")], row[column("address_matched")], row[column("address_changed")],
			row[column(enrich.StatusName)]}
		if got != want {
			t.Errorf("%.60q\n got %q\nwant %q", want.written, got, want)
		}
		one := want.status == "ok"
		for _, name := range []string{"address_lat", "address_lng", "address_uncertainty_m", "address_source", "geog_10_id"} {
			if (row[column(name)] != "") != one {
				t.Errorf("%.60q: %s is %q", want.written, name, row[column(name)])
			}
		}
	}
	if first := all[1]; first[column("address_score")] != "1" || first[column("address_uncertainty_m")] != "10" ||
		first[column("address_source")] != servetest.AddressSource || first[column("geog_10_id")] != servetest.NorthOld {
		t.Errorf("%q", first)
	}
	for _, text := range []string{`addresses: columns ["where"], at least of the level range`} {
		if !strings.Contains(said, text) {
			t.Errorf("it does not say %q:\n%s", text, said)
		}
	}
	var reasons []string
	for _, r := range s.Reasons {
		reasons = append(reasons, fmt.Sprintf("%s ×%d from %d", r.Reason, r.Rows, r.First))
	}
	want := []string{"not found ×11 from 5", "two that are equally good ×1 from 6", "a box or a rural route, which is no place ×2 from 12",
		"a corner of two streets, not an address ×1 from 14", "no address ×2 from 15",
		"not an address: without letters and digits, or too long ×2 from 17"}
	if !slices.Equal(reasons, want) {
		t.Errorf("reasons\n got %q\nwant %q", reasons, want)
	}
}

// TestAddressesOfSeveralEncodings reads a file whose rows are in several: a row whose address is not UTF-8 is none, whatever could be
// guessed of it; other rows and cells go on, and the output is UTF-8.
func TestAddressesOfSeveralEncodings(t *testing.T) {
	const text = "who,a\n" +
		"\"Ren\xe9e\",\"12 rue de l'\xc9glise, Northville QC\"\n" + // Windows-1252
		"\"Renée\",\"12 rue de l'Église, Northville QC\"\n" +
		"\"Ren\xe9e\",\"14 Main St, Southville VT\"\n" + // the name alone
		"\"Ren\x8ee\",\"14 Main St, Southville\xca VT\"\n" + // of a Macintosh, with its blank
		"\"Renée\",\"12 rue de l'\ufffdglise, Northville QC\"\n" + // lost before
		",\"\xff\xfe1\x004\x00 \x00M\x00\"\n" // UTF-16
	want := [][]string{{"Ren\ufffde", "12 rue de l'\ufffdglise, Northville QC", "none", "", "no_address"},
		{"Renée", "12 rue de l'Église, Northville QC", "exact", servetest.NorthAddress, "ok"},
		{"Ren\ufffde", "14 Main St, Southville VT", "exact", servetest.SouthAddress, "ok"},
		{"Ren\ufffde", "14 Main St, Southville\ufffd VT", "none", "", "no_address"},
		{"Renée", "12 rue de l'\ufffdglise, Northville QC", "none", "", "no_address"},
		{"", "\ufffd1\x004\x00 \x00M\x00", "none", "", "no_address"}}
	e := atAddresses(t, "exact")
	for _, block := range []int{0, 1} {
		out := filepath.Join(t.TempDir(), "out.csv")
		s, said, err := run(t, e, text, Options{Out: out, Address: "a", block: block})
		must(t, err)
		all := records(t, out)
		for i, row := range all[1:] {
			got := []string{row[0], row[1], row[slices.Index(all[0], "address_level")], row[slices.Index(all[0], "address_matched")],
				row[slices.Index(all[0], enrich.StatusName)]}
			if !slices.Equal(got, want[i]) {
				t.Errorf("row %d\n got %q\nwant %q", i+1, got, want[i])
			}
		}
		if len(s.Reasons) != 2 || s.Reasons[0] != (Reason{errForeign.Error(), 4, 1, "Ren\ufffde", "column who"}) ||
			s.Reasons[1].Reason != errLost.Error() || s.Reasons[1].Rows != 4 || s.Reasons[1].First != 1 {
			t.Errorf("%+v\n%s", s.Reasons, said)
		}
	}
	// Of several columns of an address none may be lost.
	s, _, err := run(t, e, "s,c\n14 Main St,Southville\n14 Main St,Southv\xeflle\n\x3114 Main St,Southville\n",
		Options{Street: "s", City: "c"})
	must(t, err)
	if s.Statuses["ok"] != 1 || s.Statuses["no_address"] != 1 || s.Statuses["not_found"] != 1 {
		t.Error(s.Statuses)
	}
	// What is said to be Windows-1252 is read so.
	if s, _, err = run(t, e, "a\n\"12 rue de l'\xc9glise, Northville QC\"\n", Options{Address: "a", Encoding: "cp1252"}); err != nil ||
		s.Statuses["ok"] != 1 || len(s.Reasons) > 0 {
		t.Error(s, err)
	}
}

// TestAddressParts reads addresses from several columns, of texts and of numbers.
func TestAddressParts(t *testing.T) {
	const text = "n,s,u,c,p,z\n14,Main St,,Southville,VT,5001\n12,rue de l'Église,3,Northville,Québec,J0J1J0\n" +
		",7 Border Rd,,,VT,\n,,,Southville,,\n"
	want := [][2]string{{"exact", servetest.SouthAddress}, {"exact", servetest.NorthAddress}, {"exact", "7 Border Rd, Southville, VT 05001"},
		{"place", "Southville, VT"}}
	o := Options{HouseNumber: "n", Street: "s", Unit: "u", City: "c", State: "p", PostalCode: "z", AddressLevel: "place"}
	e := atAddresses(t, "place")
	for _, name := range []string{"out.csv", "out.parquet"} {
		o.In, o.Out = "", filepath.Join(t.TempDir(), name)
		_, _, err := run(t, e, text, o)
		must(t, err)
		if name == "out.parquet" { // and back, with what is there left out
			o.In, o.Out, o.Overwrite = o.Out, filepath.Join(t.TempDir(), "again.csv"), true
			_, _, err := run(t, e, "", o)
			must(t, err)
		}
		all := records(t, o.Out)
		for i, row := range all[1:] {
			got := [2]string{row[slices.Index(all[0], "address_level")], row[slices.Index(all[0], "address_matched")]}
			if got != want[i] {
				t.Errorf("%s: %q is %q, want %q", name, row[:6], got, want[i])
			}
		}
	}
}

// TestAddressFlags gives the columns to the command: --state is one where it names no database.
func TestAddressFlags(t *testing.T) {
	dir := t.TempDir()
	_, err := servetest.Write(filepath.Join(dir, "release"), servetest.Release{})
	must(t, err)
	in, out := filepath.Join(dir, "in.csv"), filepath.Join(dir, "out.csv")
	must(t, os.WriteFile(in, []byte("n,s,c,p,z\n7,Border Rd,,VT,\n7,Border Rd,,QC,\n"), 0o644))
	for _, state := range []string{"--state=p", "--province=p", "--province=p --state=sqlite:none.db"} {
		app := &cli.App{Commands: []*cli.Command{Command("test")}, Writer: io.Discard, ErrWriter: io.Discard}
		args := []string{"quartier", "enrich", "--release", filepath.Join(dir, "release"), "--in", in, "--out", out, "--force",
			"--house-number", "n", "--street", "s", "--city", "c", "--postal-code", "z"}
		must(t, app.RunContext(t.Context(), append(args, strings.Fields(state)...)))
		if got := read(t, out); !strings.Contains(got, "7 Border Rd, Southville, VT") || !strings.Contains(got, "7 Border Rd, Northville, QC") {
			t.Errorf("%s: %s", state, got)
		}
	}
}

// TestAddressesContinue: the bytes do not depend on processors, and a run that was stopped goes on.
func TestAddressesContinue(t *testing.T) {
	var text strings.Builder
	text.WriteString("where\n")
	for i := range 3000 {
		fmt.Fprintf(&text, "\"%d Main St, Southville VT\"\n", i%60)
	}
	e := atAddresses(t, "street", "geographies")
	in := filepath.Join(t.TempDir(), "in.csv")
	must(t, os.WriteFile(in, []byte(text.String()), 0o644))
	for _, format := range []string{"csv", "geoparquet"} {
		want := ""
		for _, jobs := range []int{1, 4} {
			out := filepath.Join(t.TempDir(), "out."+format)
			_, _, err := run(t, e, "", Options{In: in, Out: out, Address: "where", AddressLevel: "street", Jobs: jobs, block: 400})
			must(t, err)
			if got := read(t, out); want == "" {
				want = got
			} else if got != want {
				t.Errorf("%s: %d jobs give other bytes", format, jobs)
			}
		}
		out := filepath.Join(t.TempDir(), "out."+format)
		o := Options{In: in, Out: out, Address: "where", AddressLevel: "street", block: 400, Resume: true}
		must(t, os.Mkdir(out+partsSuffix, 0o755))
		_, _, err := run(t, e, "", o)
		must(t, err)
		if read(t, out) != want {
			t.Errorf("%s: a run that goes on gives other bytes", format)
		}
	}
}

// TestAddressesRefused are options that contradict each other, and releases and agreements without addresses.
func TestAddressesRefused(t *testing.T) {
	e := atAddresses(t, "range")
	for name, o := range map[string]Options{
		"both a line and a street":  {Address: "a", Street: "a"},
		"a point, too":              {Address: "a", Lat: "a", Lng: "a"},
		"a number alone":            {HouseNumber: "a"},
		"no such column":            {Address: "b"},
		"a reference system":        {Address: "a", CRS: "EPSG:2950"},
		"shapes, too":               {Address: "a", Polygons: "a"},
		"an unknown column of town": {Address: "a", City: "town"},
	} {
		if _, _, err := run(t, e, "a\nx\n", o); !errors.Is(err, ErrInput) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, _, err := run(t, e, "a,address_level\nx,y\n", Options{Address: "a"}); !errors.Is(err, ErrInput) {
		t.Errorf("a column that is added is there: %v", err)
	}
	for _, c := range []struct {
		choice enrich.Choice
		client enrich.Client
		text   string
	}{
		{enrich.Choice{AddressLevel: "roof"}, enrich.Client{}, `"roof" is none of exact, range, street, postal, place`},
		{enrich.Choice{AddressLevel: "exact"}, enrich.Client{Customer: "Acme", Products: []string{"scores"}}, "does not include addresses"},
	} {
		if _, err := enrich.New(e.Release(), c.choice, c.client); !errors.Is(err, enrich.ErrChoice) || !strings.Contains(err.Error(), c.text) {
			t.Errorf("%+v: %v", c.choice, err)
		}
	}
}

// TestAddressesOfRegions: rows of other regions than those of the agreement are not found.
func TestAddressesOfRegions(t *testing.T) {
	e, err := enrich.New(atAddresses(t, "exact").Release(), enrich.Choice{AddressLevel: "exact"},
		enrich.Client{Customer: "Acme", Products: []string{"addresses"}, Regions: []string{"CA_QC"}})
	must(t, err)
	out := filepath.Join(t.TempDir(), "out.csv")
	_, _, err = run(t, e, "a\n\"7 Border Rd\"\n\"14 Main St, Southville VT\"\n", Options{Out: out, Address: "a"})
	must(t, err)
	if got := read(t, out); !strings.Contains(got, "7 Border Rd, Northville, QC") || strings.Contains(got, "05001") ||
		!strings.Contains(got, ",not_found") {
		t.Error(got)
	}
}

// BenchmarkAddresses is the rows of a file of addresses in a second on all processors, from file to file.
func BenchmarkAddresses(b *testing.B) {
	var text strings.Builder
	text.WriteString("where\n")
	const rows = 200_000
	for i := range rows {
		fmt.Fprintf(&text, "\"%d Main Street, Southville, Vermont 05001\"\n", 2+2*(i%20))
	}
	e := atAddresses(b, "range")
	in := filepath.Join(b.TempDir(), "in.csv")
	must(b, os.WriteFile(in, []byte(text.String()), 0o644))
	for _, format := range []arrowfile.Format{arrowfile.CSV, arrowfile.Parquet} {
		b.Run(string(format), func(b *testing.B) {
			for b.Loop() {
				out := filepath.Join(b.TempDir(), "out."+string(format))
				_, _, err := run(b, e, "", Options{In: in, Out: out, Address: "where", AddressLevel: "range", Force: true})
				must(b, err)
			}
			b.ReportMetric(float64(rows*b.N)*60/b.Elapsed().Seconds(), "rows/min")
		})
	}
}

// TestZeros gives ZIP codes the zeros that tables of numbers lose.
func TestZeros(t *testing.T) {
	for code, want := range map[string]string{"2134": "02134", "501": "00501", "97210": "97210", "K1A": "K1A", "12": "12", "": ""} {
		if got := withZeros(code); got != want {
			t.Errorf("%q is %q", code, got)
		}
	}
	if a := (address.Columns{Street: "12 Main St", Postal: withZeros("2134")}).Read(); a.Postal != "02134" {
		t.Errorf("%+v", a)
	}
}
