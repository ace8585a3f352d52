package duck

import (
	"errors"
	"fmt"
	"strings"
	"syscall"
)

// explain gives an error of the driver, which is text alone, the identity that callers look for: syscall.ENOSPC where
// the disk is full.
func explain(err error) error {
	if err == nil || errors.Is(err, syscall.ENOSPC) || !strings.Contains(err.Error(), noSpace) {
		return err
	}
	return fmt.Errorf("%w: %w", syscall.ENOSPC, err)
}

// noSpace is how DuckDB passes on the C library's word for ENOSPC.
const noSpace = "No space left on device"
