package driver

import "testing"

// An appender of n columns allocates 8·n bytes for their types, which must be zero.
func TestMallocIsZeroed(t *testing.T) {
	for columns := 1; columns <= 128; columns++ {
		if !mallocIsZeroed(8 * columns) {
			t.Fatalf("%d bytes are reused with their old contents", 8*columns)
		}
	}
}
