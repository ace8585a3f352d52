package pbf_test

import (
	"os/exec"
	"testing"
	"time"

	"quartier/ingest/formats/element"
)

// BenchmarkDecode decodes the extract of Delaware: everything as osmium does, without metadata as the pipeline does, and
// only outlines. Bytes are those of the compressed file.
func BenchmarkDecode(b *testing.B) {
	path := delaware(b)
	for _, c := range []struct {
		name string
		want element.Want
	}{
		{"everything", element.Want{Kinds: element.All, Tags: true, Info: true}},
		{"tags", element.Want{Kinds: element.All, Tags: true}},
		{"coordinates", element.Want{Kinds: element.Nodes}},
		{"relations", element.Want{Kinds: element.Relations, Tags: true}},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(fileSize(b, path))
			for b.Loop() {
				decode(b, path, c.want)
			}
		})
	}
}

// BenchmarkAgainstOsmium alternates with `osmium fileinfo -e`, which reads every element with metadata, and reports the
// speed relative to it (above 1: faster).
func BenchmarkAgainstOsmium(b *testing.B) {
	osmium(b)
	path := delaware(b)
	var ours, theirs time.Duration
	for b.Loop() {
		start := time.Now()
		decode(b, path, element.Want{Kinds: element.All, Tags: true, Info: true})
		middle := time.Now()
		if err := exec.Command("osmium", "fileinfo", "-e", path).Run(); err != nil {
			b.Fatal(err)
		}
		ours, theirs = ours+middle.Sub(start), theirs+time.Since(middle)
	}
	b.ReportMetric(float64(theirs)/float64(ours), "x-osmium")
}

func decode(tb testing.TB, path string, want element.Want) {
	elements := 0
	read(tb, path, want, func(b *element.Batch) error {
		elements += len(b.Nodes) + len(b.Ways) + len(b.Relations)
		return nil
	})
	if elements == 0 {
		tb.Fatal("nothing was decoded")
	}
}
