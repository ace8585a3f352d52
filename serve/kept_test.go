package serve

import (
	"fmt"
	"testing"
)

func TestKept(t *testing.T) {
	var k kept
	const size = keptMost / 8
	for i := range 20 {
		k.put(fmt.Sprint(i), make([]byte, size))
		k.put(fmt.Sprint(i), make([]byte, size)) // at the same time
	}
	if k.bytes != keptMost || len(k.byTag) != 8 || len(k.order) != 8 {
		t.Errorf("%d bytes of %d answers", k.bytes, len(k.byTag))
	}
	if k.get("11") != nil || k.get("12") == nil {
		t.Error("not the oldest ones went")
	}
	k.put("large", make([]byte, keptMost))
	if k.get("large") != nil {
		t.Error("one answer takes all that can be kept")
	}
}
