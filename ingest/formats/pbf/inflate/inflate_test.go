package inflate_test

import (
	"bytes"
	"compress/zlib"
	"errors"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	kp "github.com/klauspost/compress/zlib"
	"pgregory.net/rapid"

	"quartier/ingest/formats/pbf/inflate"
)

func pack(tb testing.TB, data []byte, level int) []byte {
	tb.Helper()
	var b bytes.Buffer
	w, err := zlib.NewWriterLevel(&b, level)
	if err != nil {
		tb.Fatal(err)
	}
	w.Write(data)
	w.Close()
	return b.Bytes()
}

// samples are contents that use all types of blocks: nothing, noise, runs, text, long and short distances.
func samples() map[string][]byte {
	random := rand.New(rand.NewPCG(1, 2))
	noise := make([]byte, 100000)
	for i := range noise {
		noise[i] = byte(random.Uint32())
	}
	skewed := make([]byte, 200000)
	for i := range skewed {
		skewed[i] = byte(random.ExpFloat64() * 9)
	}
	var varints []byte
	for range 60000 {
		varints = append(varints, byte(random.Uint32())|0x80, byte(random.Uint32())|0x80, byte(random.Uint32N(16)))
	}
	return map[string][]byte{
		"nothing": nil, "a byte": {7}, "noise": noise, "skewed": skewed, "varints": varints,
		"zeros": make([]byte, 300000), "period of three": []byte(strings.Repeat("abc", 50000)),
		"text":          []byte(strings.Repeat("the amenity of the café, and the shop; ", 4000)),
		"far distances": append(append(bytes.Clone(noise[:32000]), noise[:32000]...), noise[:31000]...),
	}
}

func TestZlib(t *testing.T) {
	var d inflate.Decoder
	for name, data := range samples() {
		for _, level := range []int{zlib.NoCompression, zlib.BestSpeed, zlib.DefaultCompression, zlib.BestCompression, zlib.HuffmanOnly} {
			packed := pack(t, data, level)
			got := make([]byte, len(data))
			if err := d.Zlib(got, packed); err != nil || !bytes.Equal(got, data) {
				t.Errorf("%s at level %d: error %v, or the content differs", name, level, err)
			}
			if err := d.Zlib(make([]byte, len(data)+1), packed); !errors.Is(err, inflate.ErrSize) {
				t.Errorf("%s at level %d, announced too long: error %v", name, level, err)
			}
			if len(data) > 0 {
				if err := d.Zlib(make([]byte, len(data)-1), packed); !errors.Is(err, inflate.ErrSize) {
					t.Errorf("%s at level %d, announced too short: error %v", name, level, err)
				}
			}
			for cut := range min(len(packed), 400) {
				if err := d.Zlib(got, packed[:len(packed)-1-cut]); err == nil {
					t.Errorf("%s at level %d: a stream truncated by %d bytes is accepted", name, level, cut+1)
				}
			}
			packed[len(packed)-1]++
			if err := d.Zlib(got, packed); !errors.Is(err, inflate.ErrChecksum) {
				t.Errorf("%s at level %d, wrong checksum: error %v", name, level, err)
			}
		}
	}
}

// TestAgainstLibrary compares with compress/zlib on random contents with repeats.
func TestAgainstLibrary(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		words := rapid.SliceOfN(rapid.SliceOfN(rapid.Byte(), 1, 40), 1, 30).Draw(rt, "words")
		var data []byte
		for _, i := range rapid.SliceOfN(rapid.IntRange(0, len(words)-1), 0, 400).Draw(rt, "order") {
			data = append(data, words[i]...)
		}
		packed := pack(t, data, rapid.IntRange(-2, 9).Draw(rt, "level"))
		var d inflate.Decoder
		got := make([]byte, len(data))
		if err := d.Zlib(got, packed); err != nil || !bytes.Equal(got, data) {
			rt.Fatalf("error %v, or the content differs", err)
		}
	})
}

// FuzzZlib compares with compress/zlib for any bytes.
func FuzzZlib(f *testing.F) {
	for _, data := range samples() {
		data = data[:min(len(data), 3000)]
		for level := -2; level <= 9; level += 3 {
			f.Add(pack(f, data, level), len(data))
		}
	}
	f.Fuzz(func(t *testing.T, packed []byte, size int) {
		if size < 0 || size > 1<<16 {
			return
		}
		got := make([]byte, size)
		var d inflate.Decoder
		err := d.Zlib(got, packed)
		var want []byte
		r, wantErr := zlib.NewReader(bytes.NewReader(packed))
		if wantErr == nil {
			want, wantErr = io.ReadAll(io.LimitReader(r, 1<<17))
		}
		switch {
		case err == nil && (wantErr != nil || !bytes.Equal(got, want)):
			t.Fatalf("we read %d bytes, the library %d, %v", len(got), len(want), wantErr)
		case err != nil && wantErr == nil && len(want) == size:
			t.Fatalf("we say %v where the library reads %d bytes", err, len(want))
		}
	})
}

func BenchmarkZlib(b *testing.B) {
	for _, name := range []string{"varints", "skewed", "text"} {
		data := samples()[name]
		packed := pack(b, data, zlib.DefaultCompression)
		got := make([]byte, len(data))
		b.Run(name+"/ours", func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			var d inflate.Decoder
			for b.Loop() {
				if err := d.Zlib(got, packed); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(name+"/klauspost", func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			r, err := kp.NewReader(bytes.NewReader(packed))
			if err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				if err := r.(kp.Resetter).Reset(bytes.NewReader(packed), nil); err != nil {
					b.Fatal(err)
				}
				if _, err := io.ReadFull(r, got); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
