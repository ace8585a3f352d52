package source

import (
	"errors"
	"fmt"
	"strings"
)

// Faults are several errors of one source, as Kind.Check returns them. Options and the file may have several each.
type Faults []error

// Error joins the errors in one line.
func (f Faults) Error() string {
	var texts []string
	for _, err := range f {
		texts = append(texts, err.Error())
	}
	return strings.Join(texts, "; ")
}

// Unwrap returns the errors.
func (f Faults) Unwrap() []error { return f }

// Add adds an error, or those of which it consists; nil adds none.
func (f *Faults) Add(errs ...error) {
	for _, err := range errs {
		*f = append(*f, Flatten(err)...)
	}
}

// Option adds the fault of an option if it has one: f.Option(o.Year < 1900, "year", "%d is not …", o.Year).
func (f *Faults) Option(bad bool, option, format string, args ...any) {
	f.Value(bad, option, "", format, args...)
}

// Value adds the fault of one of the values of an option, a list or mapping, if it has one. A message about it gives the
// line of the value in the region file.
func (f *Faults) Value(bad bool, option, value, format string, args ...any) {
	if bad {
		*f = append(*f, &OptionFault{Option: option, Value: value, Text: option + ": " + fmt.Sprintf(format, args...)})
	}
}

// Err returns nil if there are no faults.
func (f Faults) Err() error {
	if len(f) == 0 {
		return nil
	}
	return f
}

// Join returns the faults of several errors, of which any may be nil.
func Join(errs ...error) error {
	var f Faults
	f.Add(errs...)
	return f.Err()
}

// Flatten returns the faults of which an error consists, or the error itself; nil of nil.
func Flatten(err error) (list []error) {
	if err == nil {
		return nil
	}
	var faults Faults
	if !errors.As(err, &faults) {
		return []error{err}
	}
	for _, fault := range faults {
		list = append(list, Flatten(fault)...)
	}
	return list
}

// NoColumns is the error of a file without columns that options name.
type NoColumns struct {
	Names []string // as the options have them
	Text  string
}

// Error returns the text.
func (e *NoColumns) Error() string { return e.Text }

// OptionFault is what is wrong with one option. It is an ErrBadOptions.
type OptionFault struct {
	Option string
	Value  string // at fault, of an option with several; "": the option
	Text   string
}

// sameOption reports whether an error is a fault of the same option.
func (f *OptionFault) sameOption(err error) bool {
	var other *OptionFault
	return errors.As(err, &other) && other.Option == f.Option
}

// Error returns the text.
func (f *OptionFault) Error() string { return f.Text }

// Unwrap returns ErrBadOptions.
func (*OptionFault) Unwrap() error { return ErrBadOptions }
