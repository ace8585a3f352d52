package fetching

import (
	"fmt"
	"io"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"quartier/cmd/quartier/summary"
	"quartier/ingest/fetch"
)

// Intervals of messages: lines of a log, and the line of a terminal.
const (
	logEvery    = 5 * time.Second
	screenEvery = 200 * time.Millisecond
)

// Screen is a terminal, on which progress is one line.
type Screen struct{ W io.Writer }

// every says when an interval is over.
type every struct {
	interval time.Duration
	last     time.Time
}

func newEvery(d time.Duration) *every { return &every{d, time.Now()} }

func (e *every) due() bool {
	if time.Since(e.last) < e.interval {
		return false
	}
	e.last = time.Now()
	return true
}

// meter counts the bytes of files that are fetched.
type meter struct {
	mu      sync.Mutex
	sources int
	done    int // sources
	begun   time.Time
	active  map[string]*gauge
	ended   gauge // sums of the files that ended
	screen  *Screen
	log     *slog.Logger
	width   int // of the line on the screen
}

// gauge is how far a file is.
type gauge struct {
	begun       time.Time
	first       int64 // bytes that were there before
	done, total int64 // total is -1 where it is not known
}

func newMeter(sources int, screen *Screen, log *slog.Logger) *meter {
	return &meter{sources: sources, begun: time.Now(), active: map[string]*gauge{}, screen: screen, log: log}
}

// begin adds a file, whose size may be known, and returns what is called with its bytes.
func (m *meter) begin(id string, size int64) fetch.Progress {
	g := &gauge{begun: time.Now(), first: -1, total: -1}
	if size > 0 {
		g.total = size
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.active[id] = g
	return func(done, total int64) {
		m.mu.Lock()
		defer m.mu.Unlock()
		if g.first < 0 || done < g.done {
			g.first, g.begun = done, time.Now()
		}
		if g.done = done; total >= 0 {
			g.total = total
		}
	}
}

// end removes a file.
func (m *meter) end(id string, sources int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if g := m.active[id]; g.first >= 0 {
		m.ended.first, m.ended.done = m.ended.first+g.first, m.ended.done+g.done
	}
	delete(m.active, id)
	m.done += sources
}

// text is such as "1.2 GB of 3.4 GB, 45 MB/s, 48s left".
func (g gauge) text() string {
	text := summary.Bytes(g.done)
	if g.total >= 0 {
		text += " of " + summary.Bytes(g.total)
	}
	rate := float64(g.done-max(g.first, 0)) / max(time.Since(g.begun).Seconds(), 0.001)
	if rate < 1 {
		return text
	}
	text += ", " + summary.Bytes(int64(rate)) + "/s"
	if g.total > g.done {
		left := time.Duration(float64(g.total-g.done) / rate * float64(time.Second))
		text += ", " + left.Round(time.Second).String() + " left"
	}
	return text
}

// all is how far all files are that began; its total is -1 while that of one is not known.
func (m *meter) all() gauge {
	g := m.ended
	g.begun, g.total = m.begun, g.done
	for _, a := range m.active {
		g.first, g.done = g.first+max(a.first, 0), g.done+a.done
		if a.total < 0 {
			g.total = -1
		}
		if g.total >= 0 {
			g.total += a.total
		}
	}
	return g
}

// start reports the progress until the function that it returns is called.
func (m *meter) start() (stop func()) {
	interval := logEvery
	if m.screen != nil {
		interval = screenEvery
	}
	ticker, over := time.NewTicker(interval), make(chan struct{})
	var group sync.WaitGroup
	group.Go(func() {
		for {
			select {
			case <-ticker.C:
				m.report()
			case <-over:
				return
			}
		}
	})
	return func() {
		ticker.Stop()
		close(over)
		group.Wait()
		if m.screen != nil {
			m.clear()
		}
	}
}

func (m *meter) report() {
	m.mu.Lock()
	defer m.mu.Unlock()
	names := slices.Sorted(maps.Keys(m.active))
	all := fmt.Sprintf("%d of %d sources", m.done, m.sources)
	if m.screen == nil {
		for _, name := range names {
			if g := m.active[name]; g.done > 0 {
				m.log.Info("downloading", "source", name, "done", g.text())
			}
		}
		m.log.Info("in all", "done", all+", "+m.all().text())
		return
	}
	line := all + ": " + m.all().text()
	for _, name := range names {
		if g := m.active[name]; g.done > 0 {
			line += " | " + name + " " + g.text()
		}
	}
	const most = 150
	if runes := []rune(line); len(runes) > most {
		line = string(runes[:most-1]) + "…"
	}
	fmt.Fprintf(m.screen.W, "\r%-*s", m.width, line)
	m.width = len([]rune(line))
}

// Write writes lines above the line of progress, as loggers do.
func (s *Screen) Write(b []byte) (int, error) {
	if _, err := io.WriteString(s.W, "\r\x1b[K"); err != nil {
		return 0, err
	}
	return s.W.Write(b)
}

func (m *meter) clear() { fmt.Fprintf(m.screen.W, "\r%s\r", strings.Repeat(" ", m.width)) }
