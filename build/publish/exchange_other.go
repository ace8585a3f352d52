//go:build !linux && !darwin

package publish

import (
	"errors"
	"os"
)

// exchange is not supported here; moveOldAside is used instead.
func exchange(_, b string) error {
	if _, err := os.Stat(b); err != nil {
		return err
	}
	return errors.ErrUnsupported
}
