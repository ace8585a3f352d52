package main

import "quartier/bench/fail"

// check, failf and try are those of package fail.
var (
	check = fail.Check
	failf = fail.Errorf
	try   = fail.Try
)

func must[T any](value T, err error) T { return fail.Must(value, err) }
