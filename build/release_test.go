package build

import (
	"context"
	"testing"
)

func TestRelease(t *testing.T) {
	m, o := built(t, "", delaware())
	report, err := Verify(context.Background(), o.Out)
	must(t, err)
	data, _ := m.Encode()
	t.Logf("%s\n%s", report, data)
}
