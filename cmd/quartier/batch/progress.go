package batch

import (
	"fmt"
	"io"
	"sync"
	"time"
)

// progress says how far a run is, every few seconds.
type progress struct {
	out   io.Writer
	rows  int64 // of the input; −1: not known
	begun time.Time
	said  time.Time

	mu      sync.Mutex
	share   float64 // of the input that was read; −1: not known
	done    int64   // rows
	skipped int64   // rows whose parts were there already
}

// pause is the time between two lines.
const pause = 5 * time.Second

func newProgress(out io.Writer, rows int64) *progress {
	now := time.Now()
	return &progress{out: out, rows: rows, begun: now, said: now, share: -1}
}

func (p *progress) read(share float64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.share = share
}

func (p *progress) skip(rows int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.skipped += rows
}

// add counts rows that are done.
func (p *progress) add(rows int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done += rows
	now := time.Now()
	if now.Sub(p.said) < pause {
		return
	}
	p.said = now
	fmt.Fprintln(p.out, p.line(now.Sub(p.begun)))
}

// line says rows, rows a second, and about how long the rest takes.
func (p *progress) line(spent time.Duration) string {
	rate := float64(p.done) / spent.Seconds()
	text := fmt.Sprintf("%d rows, %.0f rows/s", p.done+p.skipped, rate)
	if p.skipped > 0 {
		text += fmt.Sprintf(", %d of them by an earlier run", p.skipped)
	}
	share := p.share
	if p.rows > 0 {
		share = float64(p.done+p.skipped) / float64(p.rows)
	}
	if share > 0 && rate > 0 {
		left := float64(p.done+p.skipped) * (1 - share) / share / rate
		text += fmt.Sprintf(", %.0f %%, %s left", 100*share, time.Duration(left*float64(time.Second)).Round(time.Second))
	}
	return text
}
