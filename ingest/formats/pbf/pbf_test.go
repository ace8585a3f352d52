package pbf_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"quartier/ingest/formats/element"
	"quartier/ingest/formats/pbf"
	"quartier/ingest/source"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var everything = element.Want{Kinds: element.All, Tags: true, Info: true}

// open returns all elements of a file in memory as lines of OPL.
func open(data []byte, want element.Want) ([]string, error) {
	f, err := pbf.New(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, err
	}
	var lines []string
	for range 2 { // the second pass uses the index of the first
		lines = nil
		err = f.Read(context.Background(), want, func(b *element.Batch) error {
			lines = append(lines, batchLines(b)...)
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return lines, nil
}

func batchLines(b *element.Batch) []string {
	var lines []string
	for i := range b.Nodes {
		lines = append(lines, nodeLine(&b.Nodes[i], editOf(b, b.NodeInfo, i)))
	}
	for i := range b.Ways {
		lines = append(lines, wayLine(&b.Ways[i], editOf(b, b.WayInfo, i)))
	}
	for i := range b.Relations {
		lines = append(lines, relationLine(&b.Relations[i], editOf(b, b.RelationInfo, i)))
	}
	return lines
}

// mixed is a block with unusual but valid contents: plain and dense nodes in one group, a scale after the groups, negative
// ids, locations on a way, members of all types.
func mixed() []byte {
	info := message{}.varint(1, 3).varint(2, 1500000000).varint(3, 77).varint(4, 12).varint(5, 5)
	plain := message{}.zigzag(1, -7).packed(2, 1).packed(3, 2).bytes(4, info).zigzag(8, 4540).zigzag(9, -7560)
	dense := message{}.deltas(1, 10, -11).deltas(8, 4600, 4601).deltas(9, -7200, -7201).packed(10, 3, 4, 1, 2, 0, 0)
	way := message{}.varint(1, -20).packed(2, 3).packed(3, 4).deltas(8, -7, 10, -7).
		deltas(9, 4540, 4600, 4540).deltas(10, -7560, -7200, -7560)
	relation := message{}.varint(1, 30).packed(8, 5, 0, 5).deltas(9, -20, 10, 31).packed(10, 1, 0, 2)
	return message{}.
		bytes(2, message{}.bytes(1, plain).bytes(2, dense)).
		bytes(2, message{}.bytes(3, way)).
		bytes(2, message{}.bytes(4, relation)).
		bytes(1, table("amenity", "cafe", "name", "Élie", "user")).
		varint(17, 1000000).varint(19, 500000000).varint(20, -250000000).varint(18, 1000)
}

var mixedLines = []string{
	"n-7 v3 dV c77 t2017-07-14T02:40:00Z i12 uuser Tamenity=cafe x-7.81 y5.04",
	"n10 v0 dV c0 t i0 u Tname=Élie,amenity=cafe x-7.45 y5.1",
	"n-11 v0 dV c0 t i0 u T x-7.451 y5.101",
	"w-20 v0 dV c0 t i0 u Tname=Élie Nn-7x-7.81y5.04,n10x-7.45y5.1,n-7x-7.81y5.04",
	"r30 v0 dV c0 t i0 u T Mw-20@user,n10@,r31@user",
}

func TestMixedBlock(t *testing.T) {
	for _, packing := range []int{rawBlob, zlibBlob, zstdBlob} {
		data := file(header("OsmSchema-V0.6", "DenseNodes"), block("OSMUnknown", rawBlob, []byte("skipped")), block("OSMData", packing, mixed()))
		got, err := open(data, everything)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(mixedLines, got); diff != "" {
			t.Errorf("packing %d (-want +got):\n%s", packing, diff)
		}
	}
}

func TestWantDecides(t *testing.T) {
	data := file(header(), block("OSMData", zlibBlob, mixed()))
	for _, c := range []struct {
		want  element.Want
		lines []string
	}{
		{element.Want{Kinds: element.Ways, Tags: true}, mixedLines[3:4]},
		{element.Want{Kinds: element.Relations}, mixedLines[4:]},
		{element.Want{Kinds: element.Nodes}, []string{
			"n-7 v0 dV c0 t i0 u T x-7.81 y5.04", "n10 v0 dV c0 t i0 u T x-7.45 y5.1", mixedLines[2],
		}},
		{element.Want{}, nil},
	} {
		got, err := open(data, c.want)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(c.lines, got); diff != "" {
			t.Errorf("%+v (-want +got):\n%s", c.want, diff)
		}
	}
}

func TestBadFiles(t *testing.T) {
	data := func(m message) []byte { return file(header(), block("OSMData", rawBlob, m)) }
	strings := table("a", "b")
	group := func(field int, element message) []byte {
		return data(message{}.bytes(1, strings).bytes(2, message{}.bytes(field, element)))
	}
	complete := file(header(), block("OSMData", zlibBlob, mixed()))
	flipped := bytes.Clone(complete)
	flipped[len(flipped)-20] ^= 0x40
	for _, c := range []struct {
		name, says string
		file       []byte
	}{
		{"empty", "the file is empty", nil},
		{"another format", "not a block of an OSM PBF file", []byte("PK\x03\x04 and so on")},
		{"a zero length", "not a block of an OSM PBF file", make([]byte, 100)},
		{"no header", "does not start with an OSMHeader", block("OSMData", rawBlob, nil)},
		{"a feature that nobody knows", `requires the feature "Sort.By_Colour"`, header("OsmSchema-V0.6", "Sort.By_Colour")},
		{"several versions of elements", `requires the feature "HistoricalInformation"`, header("HistoricalInformation")},
		{"truncated in a blob", fmt.Sprintf("block at byte %d: unexpected end of file", len(header())), complete[:len(complete)-5]},
		{"truncated in a blob's header", "unexpected end of file in the header of a block", complete[:len(header())+6]},
		{"truncated in a length", "unexpected end of file in the length of a block", complete[:len(header())+2]},
		{"a flipped bit", "zlib: ", flipped},
		{"lzma", "compression 4 is not supported", file(header(), block("OSMData", 4, []byte("x")))},
		{"a blob without content", "blob without content", file(header(), frame("OSMData", nil))},
		{"a blob that announces too much", "the format allows", file(header(), frame("OSMData", message{}.varint(2, 1<<30).bytes(3, nil)))},
		{"a blob that is longer than its size", "size differs from that in the header", file(header(), frame("OSMData", sized(zlibBlob, 1)))},
		{"a blob that is shorter than its size", "size differs from that in the header: 4 bytes instead of 9",
			file(header(), frame("OSMData", sized(zlibBlob, 9)))},
		{"a blob without its checksum", "zlib: unexpected EOF",
			file(header(), frame("OSMData", message{}.varint(2, 0).bytes(zlibBlob, []byte{0x78, 0x9c, 3, 0})))},
		{"a blob with another checksum", "zlib: zlib: invalid checksum",
			file(header(), frame("OSMData", message{}.varint(2, 0).bytes(zlibBlob, []byte{0x78, 0x9c, 3, 0, 0, 0, 0, 2})))},
		{"a blob with another header", "zlib: zlib: invalid header",
			file(header(), frame("OSMData", message{}.varint(2, 0).bytes(zlibBlob, []byte{0x79, 0x9c, 3, 0, 0, 0, 0, 1})))},
		{"a zstd blob that is longer than its size", "the blob header has 1", file(header(), frame("OSMData", sized(zstdBlob, 1)))},
		{"a huge header", "header of 65537 bytes", file(header(), []byte{0, 1, 0, 1})},
		{"a huge blob", "the format allows", file(header(), frameSized("OSMData", 33<<20))},
		{"a tag outside the string table", "way 5: index out of range", group(3, message{}.varint(1, 5).packed(2, 9).packed(3, 1))},
		{"a key without a value", "way 5: truncated packed list", group(3, message{}.varint(1, 5).packed(2, 1))},
		{"a value without a key", "way 5: more tag values than keys", group(3, message{}.varint(1, 5).packed(2, 1).packed(3, 2, 2))},
		{"a list that ends in a number", "way 5: truncated packed list", group(3, message{}.varint(1, 5).bytes(8, []byte{2, 0x80}))},
		{"a duplicate list", "way 5: duplicate packed list", group(3, message{}.varint(1, 5).deltas(8, 1).deltas(8, 2))},
		{"a way with too few locations", "way 5: number of locations differs",
			group(3, message{}.varint(1, 5).deltas(8, 1, 2).deltas(9, 1).deltas(10, 1))},
		{"a member of an unknown kind", "relation 5: member of unknown type",
			group(4, message{}.varint(1, 5).packed(8, 0).deltas(9, 1).packed(10, 3))},
		{"more roles than members", "relation 5: more roles or types",
			group(4, message{}.varint(1, 5).packed(8, 0, 0).deltas(9, 1).packed(10, 1))},
		{"a deleted node", "deleted elements", group(1, message{}.zigzag(1, 5).bytes(4, message{}.varint(6, 0)))},
		{"dense columns of different lengths", "columns of a dense group have different lengths",
			group(2, message{}.deltas(1, 1, 2).deltas(8, 1).deltas(9, 1, 2))},
		{"dense tags for one node too many", "columns of a dense group have different lengths",
			group(2, message{}.deltas(1, 1).deltas(8, 1).deltas(9, 1).packed(10, 0, 0))},
		{"dense tags for one node too few", "columns of a dense group have different lengths",
			group(2, message{}.deltas(1, 1, 2).deltas(8, 1, 2).deltas(9, 1, 2).packed(10, 0))},
		{"a dense tag outside the string table", "index out of range",
			group(2, message{}.deltas(1, 1).deltas(8, 1).deltas(9, 1).packed(10, 1, 9, 0))},
		{"a user outside the string table", "index out of range",
			group(2, message{}.deltas(1, 1).deltas(8, 1).deltas(9, 1).bytes(5, message{}.deltas(5, 9)))},
		{"a group that is no message", "malformed protocol buffer", data(message{}.bytes(2, []byte{0x0f}))},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := open(c.file, everything)
			if !errors.Is(err, source.ErrBadFile) || !contains(err, c.says) {
				t.Errorf("got %v and error %v, want one of the file with %q", got, err, c.says)
			}
		})
	}
}

func contains(err error, text string) bool { return err != nil && strings.Contains(err.Error(), text) }

// sized is a blob of four bytes whose header says another size.
func sized(packing int, size int64) message {
	full := block("OSMData", packing, []byte("four"))
	blob := full[len(frameSized("OSMData", 0)):]
	return append(message{}.varint(2, size), blob[2:]...) // instead of field 2, four bytes
}

// frameSized is a frame without a blob.
func frameSized(kind string, size int64) []byte {
	head := message{}.text(1, kind).varint(3, size)
	return append([]byte{0, 0, 0, byte(len(head))}, head...)
}

// TestTruncatedFile truncates a real file at many positions. Unless that is between two blocks there must be an error, and
// the elements before it must be the first ones of the file.
func TestTruncatedFile(t *testing.T) {
	complete, err := os.ReadFile(small(t))
	if err != nil {
		t.Fatal(err)
	}
	all, err := open(complete, element.Want{Kinds: element.All})
	if err != nil {
		t.Fatal(err)
	}
	noticed := 0
	for cut := 1; cut < len(complete); cut += len(complete) / 23 {
		var got []string
		f, err := pbf.New(bytes.NewReader(complete[:cut]), int64(cut))
		if err == nil {
			err = f.Read(context.Background(), element.Want{Kinds: element.All}, func(b *element.Batch) error {
				got = append(got, batchLines(b)...)
				return nil
			})
		}
		if errors.Is(err, source.ErrBadFile) {
			noticed++
		} else if err != nil {
			t.Fatalf("cut at %d: %v", cut, err)
		}
		if len(got) > len(all) || !slices.Equal(got, all[:len(got)]) {
			t.Fatalf("cut at %d: what came is not the beginning of the file", cut)
		}
	}
	if noticed < 22 {
		t.Errorf("%d of 23 cuts were noticed", noticed)
	}
}

// TestOtherEncodings compares the copies of a file by osmium in all its encodings.
func TestOtherEncodings(t *testing.T) {
	osmium(t)
	original := small(t)
	want := readLines(t, original, everything)
	for _, format := range []string{
		"pbf,pbf_dense_nodes=false", "pbf,pbf_compression=none", "pbf,pbf_dense_nodes=false,pbf_compression=none",
	} {
		t.Run(format, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "again.osm.pbf")
			if out, err := exec.Command("osmium", "cat", "--no-progress", "-f", format, "-o", path, original).CombinedOutput(); err != nil {
				t.Fatalf("%v: %s", err, out)
			}
			if got := readLines(t, path, everything); !slices.Equal(got, want) {
				t.Errorf("(-original +again):\n%.2000s", cmp.Diff(want, got))
			}
		})
	}
}

func readLines(t *testing.T, path string, want element.Want) (lines []string) {
	t.Helper()
	read(t, path, want, func(b *element.Batch) error {
		lines = append(lines, batchLines(b)...)
		return nil
	})
	return lines
}

func TestStops(t *testing.T) {
	f, err := pbf.Open(small(t))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	ctx, cancel := context.WithCancel(context.Background())
	batches := 0
	err = f.Read(ctx, everything, func(*element.Batch) error {
		batches++
		cancel()
		return nil
	})
	if !errors.Is(err, context.Canceled) || batches > 1 {
		t.Errorf("cancelled: error %v after %d batches", err, batches)
	}
	full := errors.New("full")
	if err := f.Read(context.Background(), everything, func(*element.Batch) error { return full }); err != full {
		t.Errorf("error %v, want that of visit as it is", err)
	}
	elements := 0
	err = f.Read(context.Background(), everything, func(b *element.Batch) error {
		elements += len(b.Nodes) + len(b.Ways) + len(b.Relations)
		return nil
	})
	if err != nil || elements == 0 {
		t.Errorf("after a stop: %d elements, error %v", elements, err)
	}
}

func FuzzRead(f *testing.F) {
	f.Add(file(header("OsmSchema-V0.6"), block("OSMData", rawBlob, mixed())))
	f.Add(file(header(), block("OSMData", zlibBlob, mixed()), block("OSMData", zstdBlob, mixed())))
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, data []byte) {
		lines, err := open(data, everything)
		if err != nil && !errors.Is(err, source.ErrBadFile) {
			t.Fatalf("error %v is not one of the file", err)
		}
		if err != nil && lines != nil {
			t.Fatal("elements of a bad file")
		}
	})
}

// FuzzBlock fuzzes the content of a blob, which random bytes of a file rarely reach.
func FuzzBlock(f *testing.F) {
	f.Add(mixed())
	f.Fuzz(func(t *testing.T, content []byte) {
		if _, err := open(file(header(), block("OSMData", rawBlob, content)), everything); err != nil && !errors.Is(err, source.ErrBadFile) {
			t.Fatalf("error %v is not one of the file", err)
		}
	})
}
