// Package truth compares the timetables and searches of the packages around with what others computed, on their files: R5's
// own answers for a city, and timetables whose answers are arithmetic. It has tests alone, with readers as simple as they
// can be.
package truth
