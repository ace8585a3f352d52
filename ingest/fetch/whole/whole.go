// Package whole checks complete files by what is at their ends and in their directories, with little memory: a missing end, a
// decompression bomb, the file of another state. It returns what is wrong with a file, nil if nothing is.
package whole

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"

	"github.com/klauspost/compress/gzip"
)

// File is a complete file that is checked.
type File interface {
	io.ReaderAt
	Name() string // as published
}

// errCut is the error of a file whose end is missing.
var errCut = errors.New("its end is missing")

// Bounds of what a compressed file may become: one that grows more, and beyond BombBytes, is a bomb.
const (
	bombRatio = 250
	BombBytes = 1 << 30
)

func checkBomb(unpacked, packed int64) error {
	if unpacked > BombBytes && unpacked/bombRatio > packed {
		return fmt.Errorf("it would grow from %d to %d bytes or more: a decompression bomb", packed, unpacked)
	}
	return nil
}

// Zip reads the directory of an archive, of any size, without keeping it.
func Zip(file File, size int64) error {
	count, begin, length, err := zipDirectory(file, size)
	if err != nil {
		return err
	}
	if count == 0 {
		return errors.New("the archive is empty")
	}
	directory := bufio.NewReader(io.NewSectionReader(file, begin, length))
	stem := strings.ToLower(strings.TrimSuffix(path.Base(file.Name()), path.Ext(file.Name())))
	var unpacked int64
	own, another := false, ""
	for range count {
		name, bytes, err := zipEntry(directory)
		if err != nil {
			return err
		}
		if unpacked += bytes; unpacked < 0 {
			unpacked = 1<<63 - 1
		}
		if err := checkBomb(unpacked, size); err != nil {
			return err
		}
		member := strings.ToLower(path.Base(name))
		if strings.HasSuffix(member, ".shp") {
			own = own || censusPart(member) == censusPart(stem)
			another = cmp.Or(another, member)
		}
	}
	if censusPart(stem) != "" && !own && another != "" {
		return fmt.Errorf("it holds %s: the file of another place or layer", another)
	}
	return nil
}

// censusPart is the place and the layer of the name of a file of outlines of the Census Bureau, such as 10_place of
// tl_2025_10_place.zip; "" of other names.
func censusPart(name string) string {
	words := strings.Split(strings.SplitN(name, ".", 2)[0], "_")
	if len(words) < 4 || words[0] != "tl" && words[0] != "cb" {
		return ""
	}
	return words[2] + "_" + words[3]
}

// zipDirectory finds the directory of an archive by what is at its end.
func zipDirectory(file io.ReaderAt, size int64) (count, begin, length int64, err error) {
	tail := make([]byte, min(size, 22+1<<16))
	if _, err := file.ReadAt(tail, size-int64(len(tail))); err != nil && err != io.EOF {
		return 0, 0, 0, err
	}
	at := bytes.LastIndex(tail, []byte("PK\x05\x06"))
	if at < 0 || len(tail)-at < 22 {
		return 0, 0, 0, fmt.Errorf("%w: a zip archive has its directory there", errCut)
	}
	end := tail[at:]
	count, length = int64(binary.LittleEndian.Uint16(end[10:])), int64(binary.LittleEndian.Uint32(end[12:]))
	begin = int64(binary.LittleEndian.Uint32(end[16:]))
	if count == 0xffff || length == 0xffffffff || begin == 0xffffffff { // zip64
		record := make([]byte, 56)
		if at < 20 || !bytes.HasPrefix(tail[at-20:], []byte("PK\x06\x07")) {
			return count, begin, length, nil
		}
		if _, err := file.ReadAt(record, int64(binary.LittleEndian.Uint64(tail[at-20+8:])&(1<<62-1))); err != nil {
			return 0, 0, 0, fmt.Errorf("%w: the directory of the archive", errCut)
		}
		count = int64(binary.LittleEndian.Uint64(record[32:]) & (1<<62 - 1))
		length, begin = int64(binary.LittleEndian.Uint64(record[40:])), int64(binary.LittleEndian.Uint64(record[48:]))
	}
	if begin < 0 || length < 0 || begin > size || length > size-begin {
		return 0, 0, 0, fmt.Errorf("%w: the directory of the archive is not where it should be", errCut)
	}
	return count, begin, length, nil
}

// zipEntry reads one entry of a directory: a name and its unpacked size.
func zipEntry(directory *bufio.Reader) (name string, unpacked int64, err error) {
	wrong := errors.New("the directory of the archive is damaged")
	header := make([]byte, 46)
	if _, err := io.ReadFull(directory, header); err != nil || !bytes.HasPrefix(header, []byte("PK\x01\x02")) {
		return "", 0, wrong
	}
	u16 := func(at int) int { return int(binary.LittleEndian.Uint16(header[at:])) }
	rest := make([]byte, u16(28)+u16(30)+u16(32)) // at most 192 kB
	if _, err := io.ReadFull(directory, rest); err != nil {
		return "", 0, wrong
	}
	unpacked = int64(binary.LittleEndian.Uint32(header[24:]))
	extra := rest[u16(28) : u16(28)+u16(30)]
	for unpacked == 0xffffffff && len(extra) >= 4 { // zip64
		id, n := binary.LittleEndian.Uint16(extra), int(binary.LittleEndian.Uint16(extra[2:]))
		if id == 1 && n >= 8 && len(extra) >= 12 {
			unpacked = int64(binary.LittleEndian.Uint64(extra[4:]) & (1<<62 - 1))
			break
		}
		extra = extra[min(len(extra), 4+n):]
	}
	return string(rest[:u16(28)]), unpacked, nil
}

// Gzip unpacks a file, which finds a missing end and damaged bytes.
func Gzip(file File, size int64) error {
	packed, err := gzip.NewReader(bufio.NewReaderSize(io.NewSectionReader(file, 0, size), 256<<10))
	if err != nil {
		return err
	}
	var unpacked int64
	for buffer := make([]byte, 256<<10); ; {
		n, err := packed.Read(buffer)
		unpacked += int64(n)
		switch {
		case err == io.EOF:
			return nil
		case errors.Is(err, io.ErrUnexpectedEOF):
			return errCut
		case err != nil:
			return err
		}
		if err := checkBomb(unpacked, size); err != nil {
			return err
		}
	}
}

// Parquet looks for the footer.
func Parquet(file File, size int64) error {
	var end [8]byte
	if _, err := file.ReadAt(end[:], size-8); err != nil {
		return err
	}
	if string(end[4:]) != "PAR1" || int64(binary.LittleEndian.Uint32(end[:])) > size-12 {
		return fmt.Errorf("%w: a Parquet file has its footer there", errCut)
	}
	return nil
}

// SQLite compares the size with what the header says.
func SQLite(file File, size int64) error {
	var header [100]byte
	if _, err := file.ReadAt(header[:], 0); err != nil {
		return err
	}
	page, pages := int64(binary.BigEndian.Uint16(header[16:])), int64(binary.BigEndian.Uint32(header[28:]))
	if page == 1 {
		page = 65536
	}
	valid := bytes.Equal(header[24:28], header[92:96]) // otherwise an old program left the number of pages out
	if valid && size < page*pages {
		return fmt.Errorf("%w: it has %d bytes of %d", errCut, size, page*pages)
	}
	return nil
}

// PBF goes from block to block, whose data are not read.
func PBF(file File, size int64) error {
	for at := int64(0); at < size; {
		var length [4]byte
		n, _ := file.ReadAt(length[:], at)
		header := make([]byte, min(binary.BigEndian.Uint32(length[:]), 64<<10))
		m, _ := file.ReadAt(header, at+4)
		data, ok := dataSize(header)
		if n < 4 || m < len(header) || len(header) == 0 || !ok {
			return fmt.Errorf("%w, or it is damaged at byte %d", errCut, at)
		}
		at += 4 + int64(len(header)) + data
		if at > size {
			return fmt.Errorf("%w: a block ends at byte %d, the file at %d", errCut, at, size)
		}
	}
	return nil
}

// dataSize reads the size of a block's data from its header.
func dataSize(header []byte) (int64, bool) {
	for len(header) > 0 {
		key, n := binary.Uvarint(header)
		if n <= 0 {
			return 0, false
		}
		value, m := binary.Uvarint(header[n:])
		if m <= 0 {
			return 0, false
		}
		header = header[n+m:]
		switch {
		case key == 3<<3:
			return int64(value), value < 1<<30
		case key&7 == 2 && value <= uint64(len(header)):
			header = header[value:]
		case key&7 != 0:
			return 0, false
		}
	}
	return 0, false
}

// JSON looks at the end of a file, and at all of a small one.
func JSON(file File, size int64) error {
	tail := make([]byte, min(size, 64<<10))
	if _, err := file.ReadAt(tail, size-int64(len(tail))); err != nil && err != io.EOF {
		return err
	}
	if end := bytes.TrimRight(tail, " \t\r\n\x00"); !bytes.HasSuffix(end, []byte("}")) && !bytes.HasSuffix(end, []byte("]")) {
		return errCut
	}
	if at := bytes.LastIndex(tail, []byte(`"remark"`)); at >= 0 && bytes.Contains(tail[at:], []byte("runtime error")) {
		return fmt.Errorf("the server broke off: %.200s", bytes.TrimSpace(tail[at:]))
	}
	return nil
}
