package elevation

import (
	"archive/zip"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"quartier/ingest/formats/geogrid"
	"quartier/ingest/source"
)

// hgtSides is the number of heights along a side of a tile, of three seconds or of one, both edges included.
var hgtSides = []int{1201, 3601}

const hgtNoData = -32768

// openHGT opens a tile of one degree by one: big-endian whole metres, row by row from the north-west. Only its name gives
// its position.
func openHGT(path string, nodata *float64) (*geogrid.Grid, error) {
	name, data, err := readHGT(path)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) || errors.Is(err, source.ErrBadFile) {
			return nil, err
		}
		return nil, source.BadFile(path, "%v", err)
	}
	west, south, ok := corner(name)
	if !ok {
		return nil, source.BadFile(path, "%s is not named by its south-western corner, as N48W125.hgt is", name)
	}
	unknown := float32(hgtNoData)
	if nodata != nil {
		unknown = float32(*nodata)
	}
	for _, side := range hgtSides {
		if len(data) == 2*side*side {
			return &geogrid.Grid{
				West: float64(west), North: float64(south + 1), StepLng: 1 / float64(side-1), StepLat: 1 / float64(side-1),
				Columns: side, Rows: side, Window: hgtWindow(data, side, unknown), Close: func() error { return nil },
			}, nil
		}
	}
	return nil, source.BadFile(path, "%d bytes are neither %d² nor %d² heights", len(data), hgtSides[0], hgtSides[1])
}

func hgtWindow(data []byte, side int, unknown float32) func(column, row, columns, rows int, into []float32) error {
	return func(column, row, columns, rows int, into []float32) error {
		for i := range into {
			at := (row+i/columns)*side + column + i%columns
			if into[i] = float32(int16(binary.BigEndian.Uint16(data[2*at:]))); into[i] == unknown {
				into[i] = float32(math.NaN())
			}
		}
		return nil
	}
}

// readHGT reads a plain or compressed tile and returns it with its name.
func readHGT(path string) (name string, data []byte, err error) {
	info, err := os.Stat(path)
	if err != nil {
		return "", nil, err
	}
	name = filepath.Base(path)
	most := int64(2*hgtSides[1]*hgtSides[1]) + 1
	switch strings.ToLower(filepath.Ext(path)) {
	case ".zip":
		return readZip(path, most)
	case ".gz":
		file, err := os.Open(path)
		if err != nil {
			return "", nil, err
		}
		defer file.Close()
		decompressed, err := gzip.NewReader(file)
		if err != nil {
			return "", nil, err
		}
		data, err = io.ReadAll(io.LimitReader(decompressed, most))
		return name, data, err
	}
	if info.Size() >= most {
		return name, nil, fmt.Errorf("%d bytes are too many for a tile", info.Size())
	}
	data, err = os.ReadFile(path)
	return name, data, err
}

// readZip reads the one .hgt file of an archive.
func readZip(path string, most int64) (name string, data []byte, err error) {
	archive, err := zip.OpenReader(path)
	if err != nil {
		return "", nil, err
	}
	defer archive.Close()
	found := slices.DeleteFunc(archive.File, func(f *zip.File) bool { return !strings.EqualFold(filepath.Ext(f.Name), ".hgt") })
	switch len(found) {
	case 0:
		return "", nil, errors.New("it has no .hgt file")
	case 1:
		reader, err := found[0].Open()
		if err != nil {
			return "", nil, err
		}
		defer reader.Close()
		data, err = io.ReadAll(io.LimitReader(reader, most))
		return filepath.Base(found[0].Name), data, err
	}
	return "", nil, errors.New("it has more than one .hgt file")
}

var cornerName = regexp.MustCompile(`(?i)^([NS])(\d{2})([EW])(\d{3})(?:[^0-9].*)?$`)

// corner parses the name of a tile, which is its south-western corner in degrees.
func corner(name string) (west, south int, ok bool) {
	match := cornerName.FindStringSubmatch(name)
	if match == nil {
		return 0, 0, false
	}
	south, _ = strconv.Atoi(match[2])
	west, _ = strconv.Atoi(match[4])
	if strings.EqualFold(match[1], "S") {
		south = -south
	}
	if strings.EqualFold(match[3], "W") {
		west = -west
	}
	return west, south, south >= -90 && south < 90 && west >= -180 && west < 180
}
