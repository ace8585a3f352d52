package mirror

import "time"

// ReadAgain sets the least time between readings of the cache.
func ReadAgain(d time.Duration) { readAgain = d }

// LogAgain sets the time after which a failure is logged again.
func LogAgain(d time.Duration) { logAgain = d }

// Reserve is what is left free on the disk.
const Reserve = reserve
