package pack

import "unsafe"

// PutRecords writes structs of numbers of two and four bytes without gaps as a section of uint32, which stay as they are until Close
// (PutLater). {A uint32; B, C uint16} is two of them.
func PutRecords[T any](w *Writer, name string, records []T) {
	PutLater(w, name, unsafe.Slice((*uint32)(unsafe.Pointer(unsafe.SliceData(records))), len(records)*wordsOf[T]()))
}

// LoadRecords is the section that PutRecords wrote, in the mapped file. It must have want records.
func LoadRecords[T any](l *Loader, name string, want int) []T {
	width := wordsOf[T]()
	numbers := Load[uint32](l, name, Any)
	if l.Err() == nil && (len(numbers)%width != 0 || want != Any && len(numbers) != want*width) {
		l.Fail("section %q: %d numbers are not %d records of %d", name, len(numbers), want, width)
		return nil
	}
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(numbers))), len(numbers)/width)
}

// wordsOf is the size of a record in uint32.
func wordsOf[T any]() int {
	var zero T
	if unsafe.Alignof(zero) != 4 || unsafe.Sizeof(zero)%4 != 0 {
		panic("pack: records are not of numbers of two and four bytes")
	}
	return int(unsafe.Sizeof(zero) / 4)
}
