package mirror

import "time"

// ReadAgain sets the least time between readings of the cache.
func ReadAgain(d time.Duration) { readAgain = d }

// Reserve is what is left free on the disk.
const Reserve = reserve
