// Package fail ends measurements by an error: Check, Must and Errorf raise it as a panic, and Try returns it.
package fail

import "fmt"

// failure is the panic by which an error ends a measurement.
type failure struct{ error }

// Check raises an error, if there is one.
func Check(err error) {
	if err != nil {
		panic(failure{err})
	}
}

// Must returns the value, or raises the error.
func Must[T any](value T, err error) T {
	Check(err)
	return value
}

// Errorf raises an error.
func Errorf(format string, args ...any) { Check(fmt.Errorf(format, args...)) }

// Try calls do and returns the error that it raised, if any.
func Try(do func()) (err error) {
	defer func() {
		switch p := recover().(type) {
		case nil:
		case failure:
			err = p.error
		default:
			panic(p)
		}
	}()
	do()
	return nil
}
