package limit

import "time"

// Pace counts one thing that is done in any case, and returns for how long it should be put off so that those of its key
// happen at the rate: at most most. Keys of Pace and Allow are the same.
//
// Example at 2 a second and a burst of 2: of five at once two are not put off, the others 0.5, 1 and 1.5 s.
func (m *Memory) Pace(key string, rate Rate, now time.Time, most time.Duration) time.Duration {
	hash, interval := m.hash(key), rate.Interval()
	tolerance := time.Duration(rate.Burst) * interval
	m.mu.Lock()
	defer m.mu.Unlock()
	full, clock := m.full(hash, now)
	next := full + interval
	wait := next - clock - tolerance
	if wait > most {
		m.current[hash] = full
		return most
	}
	m.current[hash] = next
	return max(0, wait)
}
