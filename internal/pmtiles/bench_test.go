package pmtiles

import (
	"fmt"
	"testing"
)

// BenchmarkCompress compresses tiles of the sizes that most tiles of a map have.
func BenchmarkCompress(b *testing.B) {
	for _, size := range []int{100, 1000, 20000} {
		b.Run(fmt.Sprint(size), func(b *testing.B) {
			data := make([]byte, size)
			for i := range data {
				data[i] = byte(i * i >> 5)
			}
			c := NewCompressor()
			for b.Loop() {
				c.Compress(data)
			}
		})
	}
}
