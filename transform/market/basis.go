package market

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"runtime"
	"time"

	"quartier/internal/timezone"
	"quartier/schemas/calibration"
)

// program is the version of what this package computes: it changes with the rows or cells of the same listings.
const program = "2"

func headOf(ctx context.Context, in Input, from source) (head, error) {
	store, generation, err := from.version(ctx)
	if err != nil {
		return head{}, fmt.Errorf("listings: %w", err)
	}
	year, _, _ := in.AsOf.Date()
	zones, err := zonesDigest(in, year)
	return head{Basis: basis{Program: program + " " + runtime.Version() + " " + runtime.GOARCH, Release: in.Digest,
		Rules: calibration.Digest(), Zones: zones, Store: store},
		Generation: generation, AsOf: in.AsOf}, err
}

// unlike names what differs between two.
func (b basis) unlike(o basis) string {
	switch {
	case b.Release != o.Release:
		return "the places release"
	case b.Zones != o.Zones:
		return "the time zones"
	case b.Store != o.Store:
		return "the database of listings"
	case b.Rules != o.Rules:
		return "the calibration"
	}
	return "the program"
}

// zonesDigest is a SHA-256 of what this machine has of the zones of the United States, from 1990 to the end of a year.
func zonesDigest(in Input, year int) (string, error) {
	sum, seen := sha256.New(), map[string]bool{}
	for i := range in.Places.Len() {
		codes := in.Places.Regions(i)
		if !Served(in.Places, i) || len(codes) == 0 {
			continue
		}
		centroid := in.Places.Centroid(i)
		name := timezone.At(codes[0], centroid[0], centroid[1])
		if seen[name] {
			continue
		}
		seen[name] = true
		if err := writeZone(sum, name, year); err != nil {
			return "", err
		}
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

func writeZone(sum hash.Hash, name string, year int) error {
	location, err := timezone.Location(name)
	if err != nil {
		return fmt.Errorf("time zone %s: %w", name, err)
	}
	for t := time.Date(1990, 1, 1, 0, 0, 0, 0, location); t.Year() <= year; {
		_, offset := t.Zone()
		_, end := t.ZoneBounds()
		fmt.Fprintln(sum, name, offset, end.Unix())
		if end.IsZero() {
			break
		}
		t = end
	}
	return nil
}
