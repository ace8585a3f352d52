package duck

import (
	"errors"
	"fmt"
	"strings"
	"syscall"
)

// explain wraps an error of the driver, which is only text, in the error that callers check for: syscall.ENOSPC if the disk
// is full.
func explain(err error) error {
	if err == nil || errors.Is(err, syscall.ENOSPC) || !strings.Contains(err.Error(), noSpace) {
		return err
	}
	return fmt.Errorf("%w: %w", syscall.ENOSPC, err)
}

// noSpace is the C library's text for ENOSPC in DuckDB's errors.
const noSpace = "No space left on device"
