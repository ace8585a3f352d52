package account

import "time"

// Backdate makes the copy older.
func (l *Live) Backdate(d time.Duration) { l.started = l.started.Add(-d) }
