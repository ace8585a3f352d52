package main

import (
	"quartier/bench/fail"
	"quartier/bench/programs"
)

// check, failf and try are those of package fail.
var (
	check = fail.Check
	failf = fail.Errorf
	try   = fail.Try
)

func must[T any](value T, err error) T { return fail.Must(value, err) }

// process, start and the others are those of package programs.
type process = programs.Process

var (
	start       = programs.Start
	freeAddress = programs.FreeAddress
	runToEnd    = programs.RunToEnd
	runSelf     = programs.RunSelf
)
