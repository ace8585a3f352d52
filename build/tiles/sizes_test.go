package tiles

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"testing"

	"quartier/internal/pmtiles"
)

var sizesOf = flag.String("sizes", "", "folder of a release of which TestSizes prints how large tiles are")

// TestSizes prints how large the tiles of a release are as they are stored, by archive and zoom, as rows of a table of Markdown.
func TestSizes(t *testing.T) {
	if *sizesOf == "" {
		t.Skip("without -sizes RELEASE")
	}
	fmt.Println("| archive | zoom | tiles | different | bytes | median | 99 % | largest |\n| --- | --- | --- | --- | --- | --- | --- | --- |")
	for _, of := range Archives {
		archive, err := pmtiles.OpenFile(filepath.Join(*sizesOf, of.File))
		if errors.Is(err, fs.ErrNotExist) {
			continue // of an older layout
		}
		if err != nil {
			t.Fatal(err)
		}
		defer archive.Close()
		var sizes [MaxZoom + 1][]int
		var different, bytes [MaxZoom + 1]int
		end := uint64(0)
		if err := archive.Each(func(e pmtiles.Entry, tile []byte) error {
			z, _, _, _ := pmtiles.Tile(e.ID)
			if e.Offset == end { // not one of before
				end += uint64(len(tile))
				different[z], bytes[z] = different[z]+1, bytes[z]+len(tile)
			}
			sizes[z] = append(sizes[z], slices.Repeat([]int{len(tile)}, int(e.Run))...)
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		for z, list := range sizes {
			if n := len(list); n > 0 {
				slices.Sort(list)
				fmt.Println("|", of.File, "|", z, "|", n, "|", different[z], "|", bytes[z], "|", list[n/2], "|", list[n*99/100], "|", list[n-1], "|")
			}
		}
	}
}
