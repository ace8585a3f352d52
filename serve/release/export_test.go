package release

import "time"

// SetRestless changes how long ago a file must have changed to be remembered as verified.
func SetRestless(d time.Duration) { restless = d }
