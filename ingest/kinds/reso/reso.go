// Package reso reads listings and sales of properties: records of the RESO Data Dictionary (Property and
// HistoryTransactional, versions 1.7 and 2.0) and recorded sales of cities and counties, whose columns options map.
package reso

import (
	"bufio"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"quartier/ingest/formats/table"
	"quartier/ingest/source"
)

func fieldList() string {
	var names []string
	for _, list := range fieldNames {
		if len(list) > 0 {
			names = append(names, strings.Join(list, " or "))
		}
	}
	return strings.Join(names, ", ")
}

// extensions are those of the files that are read of a folder. What `quartier fetch` keeps beside its pages has none of
// them.
var extensions = []string{".json", ".jsonl", ".ndjson", ".csv", ".tsv", ".txt", ".parquet", ".gz"}

// kind has beside a declaration the files of a source.
type kind struct{ source.Declaration[mapping] }

// Files returns the files of a source, ordered by path.
func (kind) Files(path string) ([]string, error) { return source.Files(path, extensions...) }

// Kind is the kind "reso".
var Kind = kind{source.Declaration[mapping]{
	Kind:  "reso",
	Title: "Listings and sales of properties, of which market statistics are computed",
	Formats: []string{
		"JSON lines of RESO Data Dictionary 2.0 or 1.7, resources Property and HistoryTransactional",
		"JSON arrays, pages of the RESO Web API (`value`, `@odata.nextLink`) and RESO Common Format, also a folder of pages",
		"CSV and other delimited text, with the names of RESO or the recorded sales of a city or county by the option columns",
		"Parquet with such columns",
		"each of JSON and CSV with gzip (.gz)",
	},
	Yields: []string{"listing_record", "change_record"},
	Own:    &own,
	Reasons: append(table.Reasons(), source.MalformedRecord, source.InvalidUTF8, source.AssumedWindows1252,
		source.WrongFieldCount, source.OtherCountry, source.ExcludedByOption),
	Notes: "Sources of this kind are in a listings file, which has the form of a region file, and `quartier market` takes them in; " +
		"`quartier build` does not read them. Of the records of (OriginatingSystemName, ListingKey) the one with the latest " +
		"ModificationTimestamp counts, of equal ones that of the later row, file and source; one with status Delete takes the listing out. " +
		"Records with ResourceRecordKey and FieldName are changes of a listing, of which StandardStatus, MlsStatus until the first change of " +
		"StandardStatus, and ListPrice are read; they may be nested in the record of the listing as HistoryTransactional ($expand).\n" +
		"Look-ups match whatever their case, spaces and hyphens: ActiveUnderContract, Active Under Contract. A record without status and dates " +
		"of listing that has CloseDate and ClosePrice is a public sale. Sales without a ListingKey have a key made of parcel or address, unit, " +
		"day and price: copies are one sale. Where neither parcel nor address is known the key has what else the sale is, and equal ones " +
		"within a file are numbered, so that none is lost; a sale that is in two files counts once. The order of day and month in dates such " +
		"as 5/6/2016 is that of all values of the column; where they do not decide it the option date_order does.\n" +
		"Fields that are read: " + fieldList() + ".",
	Options: Options{},
	Decode:  compile,
	Inspect: inspect,
	Read:    read,
}}

// inspect checks the beginning of each file; m is nil where the options have faults.
func inspect(ctx context.Context, in source.Input, m *mapping) error {
	if m == nil {
		_, missing := os.Stat(in.Path)
		return missing
	}
	files, err := source.Files(in.Path, extensions...)
	if err != nil {
		return err
	}
	var f source.Faults
	const most = 50 // faults of files; a folder may have thousands of pages
	for _, path := range files {
		if err := ctx.Err(); err != nil {
			return err
		}
		if f.Add(m.check(ctx, path, in)); len(f) >= most {
			break
		}
	}
	return f.Err()
}

// read reads the records of all files.
func read(ctx context.Context, in source.Input, m *mapping, out source.Sink) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	files, err := source.Files(in.Path, extensions...)
	if err != nil {
		return err
	}
	for _, path := range files {
		if path != in.Path {
			out.Part(filepath.Base(path))
		}
		if err := m.stage(ctx, path, in, out); err != nil {
			return err
		}
	}
	return nil
}

// form is how a file is written.
type form int

const (
	jsonForm form = iota
	tableForm
	parquetForm
)

// open opens a text file, unpacking one with gzip, and finds its form by its first byte and name.
func open(path string, limits source.Limits) (r *bufio.Reader, f form, closing func() error, err error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, 0, nil, err
	}
	r, f, err = sniff(file, path, limits)
	if err != nil {
		file.Close()
		return nil, 0, nil, source.InFile(path, err)
	}
	return r, f, file.Close, nil
}

var errEmpty = errors.New("it is empty")
