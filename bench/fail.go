package main

import "fmt"

// failure is the panic by which an error ends a measurement: check and failf raise it, try returns it.
type failure struct{ error }

func check(err error) {
	if err != nil {
		panic(failure{err})
	}
}

func must[T any](value T, err error) T {
	check(err)
	return value
}

func failf(format string, args ...any) { check(fmt.Errorf(format, args...)) }

// try calls do and returns its failure, if any, as an error.
func try(do func()) (err error) {
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
