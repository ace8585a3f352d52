package limit

import (
	"testing"
	"time"
)

func TestPace(t *testing.T) {
	m := NewMemory()
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	rate := Rate{PerSecond: 2, Burst: 2}
	for i, want := range []time.Duration{0, 0, 500 * time.Millisecond, time.Second, 1200 * time.Millisecond, 1200 * time.Millisecond} {
		if got := m.Pace("a", rate, now, 1200*time.Millisecond); got != want {
			t.Errorf("number %d is put off %v, want %v", i, got, want)
		}
	}
	if got := m.Pace("b", rate, now, time.Second); got != 0 {
		t.Errorf("another key: %v", got)
	}
	if got := m.Pace("a", rate, now.Add(time.Second), time.Second); got != 500*time.Millisecond {
		t.Errorf("a second later: %v", got)
	}
	if got := m.Pace("a", rate, now.Add(time.Minute), time.Second); got != 0 {
		t.Errorf("a minute later: %v", got)
	}
}
