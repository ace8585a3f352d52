package pack

// Meter asks now and then whether a search should end where it is, with any result, because nobody waits for it any more or
// it has taken too long. The zero value never does.
type Meter struct {
	Stop func() bool // nil: never asked

	left    int // work until it is asked again
	stopped bool
}

// meterEvery is the work after which a Meter asks, about 100 µs.
const meterEvery = 1 << 16

// Start begins a search, which is asked for at once.
func (m *Meter) Start(stop func() bool) { *m = Meter{Stop: stop} }

// Spend counts work, of about two nanoseconds each, and reports whether the search should end.
func (m *Meter) Spend(work int) bool {
	if m.left -= work; m.left > 0 || m.Stop == nil {
		return m.stopped
	}
	m.left = meterEvery
	m.stopped = m.stopped || m.Stop()
	return m.stopped
}
