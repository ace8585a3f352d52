// Package spatialitetest skips tests where mod_spatialite is not installed.
package spatialitetest

import (
	"errors"
	"sync"
	"testing"

	"quartier/internal/spatialite"
	"quartier/internal/testenv"
)

var unavailable = sync.OnceValue(func() error {
	kernel, err := spatialite.NewKernel()
	if err == nil {
		err = kernel.Close()
	}
	return err
})

// Need skips the test where mod_spatialite cannot be loaded, or fails it in continuous integration.
func Need(tb testing.TB) {
	tb.Helper()
	if errors.Is(unavailable(), spatialite.ErrUnavailable) {
		testenv.NotInstalled(tb, "mod_spatialite")
	}
}
