package packtest

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"testing"
)

// Harm damages one of some files as drawn: bits flipped, a block of zeros, an end cut off or added, or another of the files
// in its place. The content is another one afterwards. It returns what was done, and a function that restores the files.
func Harm(t testing.TB, random *rand.Rand, files []string) (what string, restore func()) {
	t.Helper()
	at := random.IntN(len(files))
	other := files[(at+1+random.IntN(len(files)-1))%len(files)]
	intact, theirs := read(t, files[at]), read(t, other)
	restore = func() {
		write(t, files[at], intact)
		write(t, other, theirs)
	}
	for {
		data := bytes.Clone(intact)
		switch random.IntN(6) {
		case 0:
			what = fmt.Sprintf("a bit of %s", files[at])
			data[random.IntN(len(data))] ^= 1 << random.IntN(8)
		case 1:
			what = fmt.Sprintf("bytes of %s", files[at])
			for range 2 + random.IntN(100) {
				data[random.IntN(len(data))] = byte(random.Uint32())
			}
		case 2:
			what = fmt.Sprintf("zeros in %s", files[at])
			begin := random.IntN(len(data))
			clear(data[begin:min(len(data), begin+4096)])
		case 3:
			data = data[:random.IntN(len(data))]
			what = fmt.Sprintf("%s cut to %d bytes", files[at], len(data))
		case 4:
			what = fmt.Sprintf("%s with more bytes", files[at])
			data = append(data, make([]byte, 1+random.IntN(5000))...)
		case 5:
			what = fmt.Sprintf("%s exchanged with %s", files[at], other)
			data = theirs
		}
		if bytes.Equal(data, intact) {
			continue
		}
		write(t, files[at], data)
		if bytes.Equal(data, theirs) {
			write(t, other, intact)
		}
		return what, restore
	}
}

func read(t testing.TB, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func write(t testing.TB, path string, data []byte) {
	t.Helper()
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
}
