// Package coord has the coordinates of packs and of everything computed from them: WGS 84 points and areas in
// integers of 1e-7 degrees, about a centimetre. Equality and containment are exact, without a tolerance.
//
// What goes in: degrees as floating-point numbers, finite and on earth. What comes out: integers that are written to
// packs as they are. Package geo has the floating-point counterparts in metres.
package coord
