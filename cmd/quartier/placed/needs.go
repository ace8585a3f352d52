package placed

import (
	"fmt"
	"os"

	"quartier/cmd/quartier/summary"
	"quartier/ingest"
	"quartier/ingest/regionfile"
	"quartier/internal/estimate"
	"quartier/internal/machine"
)

// needs says what the downloads and the build are estimated to need, by the usual sizes of the files, before anything is downloaded.
func (r *Run) needs(region *ingest.Region, items []regionfile.Item) error {
	reads, files, unknown := map[string]estimate.Size{}, map[string]bool{}, 0
	var download int64
	for i, item := range items {
		size := int64(item.MB * 1e6)
		reads[item.Kind] = reads[item.Kind].Add(estimate.Size{Bytes: size, Left: region.Sources[i].LeftOut(size)})
		if item.URL == "" || files[item.URL] || exists(region.Sources[i].Path) {
			continue
		}
		if files[item.URL] = true; size == 0 {
			unknown++
		}
		download += size
	}
	ingest, transform, build := step(estimate.Ingest, reads), step(estimate.Transform, reads), step(estimate.Build, reads)
	var total estimate.Measured
	for _, s := range []estimate.Step{ingest, transform, build} {
		m := s.Of(estimate.Measured{})
		total.Seconds, total.Bytes = total.Seconds+m.Seconds, total.Bytes+m.Bytes
	}
	disk := download
	if !exists(r.Work()) {
		disk += total.Bytes
	}
	text := fmt.Sprintf("\nAbout %s to download, %s of disk in all, %s of memory, and %.0f minutes after the downloads",
		summary.Bytes(download), summary.Bytes(disk), summary.Bytes(estimate.Memory([]estimate.Step{ingest}, 1, build)), max(1, total.Seconds/60))
	if unknown > 0 {
		text += fmt.Sprintf(", besides what %d files of unknown size need", unknown)
	}
	if _, free, err := machine.Disk(r.Dir); err == nil {
		text += fmt.Sprintf("; the disk has %s", summary.Bytes(free))
	}
	_, err := fmt.Fprintf(r.Out, "%s. Sizes are usual ones: the build looks again at what the files have.\n\n", text)
	return err
}

func step(phase estimate.Phase, reads map[string]estimate.Size) estimate.Step {
	return estimate.Step{Phase: phase, Reads: reads, Takes: estimate.All}
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return path != "" && err == nil
}
