package blocks

import (
	"archive/zip"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"quartier/ingest/source"
	"quartier/ingest/sourcetest"
)

// invented is a block of a county that there is not.
type invented struct {
	geoid                             string
	population, dwellings, households int
}

// county are its blocks: two tracts of two block groups, some with nobody in them.
func county() []invented {
	var list []invented
	for i := range 24 {
		homes := i * 7 % 11 * 3
		list = append(list, invented{fmt.Sprintf("99001%06d%d%03d", 100+i/12, 1+i/6%2, i%6), homes * 23 / 10, homes, homes - homes/8})
	}
	return list
}

// redistrictingFiles are the county's as the bureau lays them out: every area that blocks add up to has its row too, and
// numbers of records have nothing to do with the blocks' order.
func redistrictingFiles(blocks []invented) map[string]string {
	var header, first, second, third strings.Builder
	row := func(level, code string, record int, name string, b invented) {
		head := make([]string, 97)
		copy(head, []string{"PLST", "ZZ", level, "00", "00", "000", "00", fmt.Sprintf("%07d", record), level + "0000US" + code, code})
		head[84], head[86], head[90], head[91], head[92] = "12345", name, fmt.Sprint(b.population), fmt.Sprint(b.dwellings), "+44.0000000"
		fmt.Fprintln(&header, strings.Join(head, "|"))
		segment := func(to *strings.Builder, number int, cells []string) {
			fmt.Fprintf(to, "PLST|ZZ|000|%02d|%07d|%s\n", number, record, strings.Join(cells, "|"))
		}
		cells := slices.Repeat([]string{"1"}, 71+73+3) // of no matter
		cells[0] = fmt.Sprint(b.population)
		segment(&first, 1, cells[:71+73])
		cells[0] = "1"
		cells[144], cells[145], cells[146] = fmt.Sprint(b.dwellings), fmt.Sprint(b.households), fmt.Sprint(b.dwellings-b.households)
		segment(&second, 2, cells)
		segment(&third, 3, cells[:10])
	}
	sums := map[string]invented{}
	for _, b := range blocks {
		for _, code := range []string{b.geoid[:2], b.geoid[:5], b.geoid[:11], b.geoid[:12]} {
			sum := sums[code]
			sums[code] = invented{code, sum.population + b.population, sum.dwellings + b.dwellings, sum.households + b.households}
		}
	}
	record := 0
	for _, code := range slices.Sorted(maps.Keys(sums)) {
		record++
		row(map[int]string{2: "040", 5: "050", 11: "140", 12: "150"}[len(code)], code, record, "Do\xf1a Ana", sums[code])
	}
	for i := range blocks {
		row("750", blocks[i].geoid, 100-i, "Block", blocks[i])
	}
	return map[string]string{"zzgeo2020.pl": header.String(), "zz000012020.pl": first.String(), "zz000022020.pl": second.String(),
		"zz000032020.pl": third.String()}
}

// outlines are the county's blocks in a row, with the counts that TABBLOCK20 has.
func outlines(blocks []invented) string {
	var features []string
	for i, b := range blocks {
		west := -73 + float64(i)/500
		features = append(features,
			fmt.Sprintf(`{"type":"Feature","properties":{"GEOID20":%q,"POP20":%d,"HOUSING20":%d,"ALAND20":34500},"geometry":{"type":"Polygon",`+
				`"coordinates":[[[%[4]v,44],[%[5]v,44],[%[5]v,44.002],[%[4]v,44.002],[%[4]v,44]]]}}`,
				b.geoid, b.population, b.dwellings, west, west+1.0/500))
	}
	return `{"type":"FeatureCollection","features":[` + strings.Join(features, ",") + `]}`
}

// write puts the outlines and the files, in a folder or an archive, into a source's folder.
func write(t *testing.T, outlines string, files map[string]string, archive bool) (path string) {
	t.Helper()
	path = t.TempDir()
	put := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(path, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	put("tabblock20.geojson", outlines)
	if !archive {
		if err := os.Mkdir(filepath.Join(path, "counts"), 0o700); err != nil {
			t.Fatal(err)
		}
		for name, text := range files {
			put(filepath.Join("counts", name), text)
		}
		return path
	}
	var packed strings.Builder
	w := zip.NewWriter(&packed)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		file, err := w.Create("zz2020.pl/" + strings.ToUpper(name))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := file.Write([]byte(files[name])); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	put("counts", packed.String())
	return path
}

const redistrictingOptions = "layout: pl-94-171\noutlines: tabblock20.geojson\ncounts: counts"

// The invented county is the same in both publications, and households are in the second alone.
func TestACountyInBothPublications(t *testing.T) {
	blocks := county()
	var want []string
	var people, homes, households int
	for _, b := range blocks {
		want = append(want, fmt.Sprintf("census:block:%s census:bg:%s %d %d", b.geoid, b.geoid[:12], b.population, b.dwellings))
		people, homes, households = people+b.population, homes+b.dwellings, households+b.households
	}
	for _, archive := range []bool{false, true} {
		path := write(t, outlines(blocks), redistrictingFiles(blocks), archive)
		for _, in := range []source.Input{
			{Source: "s", Path: filepath.Join(path, "tabblock20.geojson"), Options: sourcetest.Options(t, "layout: tiger-tabblock20")},
			{Source: "s", Path: path, Options: sourcetest.Options(t, redistrictingOptions)},
		} {
			_, db, err := sourcetest.Stage(t, Kind, in)
			if err != nil {
				t.Fatal(err)
			}
			rows := sourcetest.Ask(t, db, "SELECT concat_ws(' ', source_key, area_key, population, dwellings) FROM block ORDER BY rowid")
			if diff := cmp.Diff(strings.Join(want, "\n"), rows); diff != "" {
				t.Error(diff)
			}
			sums := fmt.Sprintf("24|4|%d|%d|∅", people, homes)
			if in.Path == path {
				sums = fmt.Sprintf("24|4|%d|%d|%d", people, homes, households)
			}
			if got := sourcetest.Ask(t, db,
				"SELECT count(*), count(DISTINCT area_key), sum(population), sum(dwellings), sum(households) FROM block"); got != sums {
				t.Errorf("sums are %s, want %s", got, sums)
			}
		}
	}
}

// Rows of the counts that are bad are counted by reason, and their blocks staged without counts.
func TestBadRedistrictingRows(t *testing.T) {
	blocks := county()
	files := redistrictingFiles(blocks)
	lines := func(name string) []string { return strings.SplitAfter(strings.TrimSuffix(files[name], "\n"), "\n") }
	header, first, second := lines("zzgeo2020.pl"), lines("zz000012020.pl"), lines("zz000022020.pl")
	const block = 8 // line of the first block, behind the state, the county, two tracts and four block groups
	last := len(header) - 1
	header[last], first[last], second[last] = header[last]+"\n", first[last]+"\n", second[last]+"\n"
	first[block+1] = strings.Replace(first[block+1], fmt.Sprintf("|%d|", blocks[1].population), "|9999|", 1)
	second[block+2] = strings.Replace(second[block+2], fmt.Sprintf("|%d|%d|", blocks[2].dwellings, blocks[2].households),
		fmt.Sprintf("|%d|9999|", blocks[2].dwellings), 1)
	second[block+3] = strings.Replace(second[block+3], fmt.Sprintf("|%d|%d|", blocks[3].dwellings, blocks[3].households), "|x|-4|", 1)
	header[block+4] = strings.ReplaceAll(header[block+4], blocks[4].geoid, "9900100010010\xff")
	files["zzgeo2020.pl"] = strings.Join(append(header, header[block+5],
		strings.Replace(header[block+5], fmt.Sprintf("|%07d|", 95), "|0000096|", 1)), "")
	files["zz000012020.pl"] = strings.Join(append(first, first[block+6]), "")
	files["zz000022020.pl"] = strings.Join(second, "")
	out := &sourcetest.Record{}
	in := source.Input{Source: "s", Path: write(t, outlines(blocks[:22]), files, false),
		Options: sourcetest.Options(t, redistrictingOptions+"\nmost_unjoined: 0.1")}
	if err := Kind.Stage(t.Context(), in, out); err != nil {
		t.Fatal(err)
	}
	want := map[string]int{
		"counts_of_non_block": 8, "counts_without_outline": 1,
		"missing_key": 1, "duplicate_key: LOGRECNO": 1, "duplicate_key": 2,
		"header_count_mismatch":       1,
		"households_exceed_dwellings": 1,
		"invalid_count_removed":       1,
		"block_without_counts":        2,
	}
	if diff := cmp.Diff(want, out.Reasons()); diff != "" {
		t.Error(diff, out.Issues)
	}
	var got []string
	for _, b := range out.Blocks[:6] {
		got = append(got, fmt.Sprint(show(b.Population), show(b.Dwellings), show(b.Households)))
	}
	fine := func(b invented) string { return fmt.Sprintf(" %d %d %d", b.population, b.dwellings, b.households) }
	expected := []string{fine(blocks[0]), " - - -", fmt.Sprintf(" %d %d -", blocks[2].population, blocks[2].dwellings),
		fmt.Sprintf(" %d - -4", blocks[3].population), " - - -", fine(blocks[5])} // what is negative is the sink's to reject
	if diff := cmp.Diff(expected, got); diff != "" {
		t.Error(diff)
	}
}

func TestBadRedistrictingFiles(t *testing.T) {
	blocks := county()
	cut := func(name string, share float64) func(map[string]string) {
		return func(files map[string]string) { files[name] = files[name][:int(share*float64(len(files[name])))] }
	}
	for name, test := range map[string]struct {
		spoil func(map[string]string)
		want  string
	}{
		"no header":    {func(f map[string]string) { delete(f, "zzgeo2020.pl") }, "no geographic header"},
		"no segment":   {func(f map[string]string) { delete(f, "zz000022020.pl") }, "zz000022020.pl is missing"},
		"empty header": {cut("zzgeo2020.pl", 0), "zzgeo2020.pl is empty"},
		"cut header":   {cut("zzgeo2020.pl", 0.5), "fields, not 97"},
		"cut segment":  {cut("zz000012020.pl", 0.9), "fields, not 149"},
		"segment of ten rows": {func(f map[string]string) {
			f["zz000022020.pl"] = strings.Join(strings.SplitAfter(f["zz000022020.pl"], "\n")[:10], "")
		}, "no row for 22 of 24 blocks"},
		"segments mixed up": {func(f map[string]string) { f["zz000012020.pl"] = f["zz000022020.pl"] }, "152 fields, not 149"},
		"no blocks": {func(f map[string]string) { f["zzgeo2020.pl"] = strings.ReplaceAll(f["zzgeo2020.pl"], "|750|", "|150|") },
			"no counts"},
		"another release": {func(f map[string]string) {
			f["zz000012020.pl"] = redistrictingFiles(slices.Insert(slices.Clone(blocks), 3,
				invented{"990010001001009", 1000, 1, 1}))["zz000012020.pl"]
		}, "of them the tables of counts differ from its geographic header"},
		"another state": {func(f map[string]string) {
			others := slices.Clone(blocks)
			for i := range others {
				others[i].population += 1000
			}
			f["zz000012020.pl"] = redistrictingFiles(others)["zz000012020.pl"]
		}, "the counts of its 24 blocks differ from those of the geographic header"},
	} {
		for _, archive := range []bool{false, true} {
			files := redistrictingFiles(blocks)
			test.spoil(files)
			in := source.Input{Source: "s", Path: write(t, outlines(blocks), files, archive), Options: sourcetest.Options(t, redistrictingOptions)}
			err := Kind.Stage(t.Context(), in, &sourcetest.Record{})
			if !errors.Is(err, source.ErrBadFile) || !strings.Contains(err.Error(), test.want) {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
	path := write(t, outlines(blocks), redistrictingFiles(blocks), false)
	for _, options := range []string{"layout: pl-94-171\noutlines: tabblock20.geojson", redistrictingOptions + "\npopulation: POP20"} {
		err := Kind.Stage(t.Context(), source.Input{Source: "s", Path: path, Options: sourcetest.Options(t, options)}, &sourcetest.Record{})
		if !errors.Is(err, source.ErrBadOptions) {
			t.Errorf("%q: %v", options, err)
		}
	}
	err := Kind.Stage(t.Context(), source.Input{Source: "s", Path: path,
		Options: sourcetest.Options(t, strings.Replace(redistrictingOptions, "counts: counts", "counts: tabblock20.geojson", 1))},
		&sourcetest.Record{})
	if !errors.Is(err, source.ErrBadFile) {
		t.Errorf("an archive that is none: %v", err)
	}
}

// Whatever the files hold, they are read or refused, and every block that is kept is one of the header.
func FuzzRedistricting(f *testing.F) {
	files := redistrictingFiles(county()[:3])
	f.Add(files["zzgeo2020.pl"], files["zz000012020.pl"], files["zz000022020.pl"])
	f.Add(files["zzgeo2020.pl"][:900], files["zz000012020.pl"], "\n")
	f.Fuzz(func(t *testing.T, header, first, second string) {
		out := &sourcetest.Record{}
		read, err := redistrictingIn(t.Context(), fstest.MapFS{"zzgeo2020.pl": {Data: []byte(header)}, "zz000012020.pl": {Data: []byte(first)},
			"zz000022020.pl": {Data: []byte(second)}}, "zz", out)
		if err != nil {
			if !errors.Is(err, source.ErrBadFile) {
				t.Error(err)
			}
			return
		}
		if len(read.rows) > strings.Count(header, "|750|") || len(read.rows) > out.Count {
			t.Errorf("%d blocks of %d rows", len(read.rows), out.Count)
		}
		for code := range read.rows {
			if !strings.Contains(header, "|"+code+"|") {
				t.Errorf("%s is no block of the header", code)
			}
		}
	})
}
