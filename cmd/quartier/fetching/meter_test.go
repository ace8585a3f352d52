package fetching

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"
	"time"
)

func TestGauge(t *testing.T) {
	begun := time.Now().Add(-10 * time.Second)
	for want, g := range map[string]gauge{
		"0 B":                     {begun: begun, first: -1, total: -1},
		"50.0 MB of 100.0 MB, ":   {begun: begun, done: 50 << 20, total: 100 << 20},
		"5.0 MB/s, 10s left":      {begun: begun, done: 50 << 20, total: 100 << 20},
		"60.0 MB of 100.0 MB, 10": {begun: begun, first: 50 << 20, done: 60 << 20, total: 100 << 20},
		"50.0 MB, 5.0 MB/s":       {begun: begun, done: 50 << 20, total: -1},
	} {
		if text := g.text(); !strings.Contains(text, want) {
			t.Errorf("%q does not have %q", text, want)
		}
	}
}

// What all files are is known once the size of each one that goes on is.
func TestMeter(t *testing.T) {
	var out, log bytes.Buffer
	screen := &Screen{W: &out}
	m := newMeter(5, screen, slog.New(slog.NewTextHandler(&log, nil)))
	first, second := m.begin("a", 1000), m.begin("b", 0)
	first(10, 1000)
	second(500, -1)
	if all := m.all(); all.done != 510 || all.total != -1 {
		t.Errorf("all is %+v", all)
	}
	second(600, 2000)
	if all := m.all(); all.done != 610 || all.total != 3000 {
		t.Errorf("all is %+v", all)
	}
	second(5, 2000) // from the start again
	m.end("a", 2)
	if all := m.all(); all.done != 15 || all.total != 2010 || m.done != 2 {
		t.Errorf("all is %+v", all)
	}
	m.report()
	if line := out.String(); !strings.HasPrefix(line, "\r2 of 5 sources: 15 B of 2 kB") || strings.Contains(line, "\n") {
		t.Errorf("the line is %q", line)
	}
	screen.Write([]byte("a message\n"))
	m.clear()
	m.screen = nil
	m.report()
	if text := log.String(); !strings.Contains(text, "source=b") || !strings.Contains(text, "2 of 5 sources") {
		t.Errorf("the log is %s", text)
	}
	stop := m.start()
	stop()
}
