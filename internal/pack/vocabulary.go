package pack

import (
	"bytes"
	"crypto/sha256"
	"fmt"
)

// PutVocabulary writes a section with a digest of the names that the numbers of a table are laid out by, in their
// order.
func PutVocabulary(w *Writer, name string, words []string) {
	digest := vocabulary(words)
	Put(w, name, digest[:])
}

// CheckVocabulary fails where a table is laid out by other names than words: it was written by a program of another
// version, and its numbers would be taken for what they are not.
func CheckVocabulary(f *File, name string, words []string) error {
	got, err := GetSized[byte](f, name, sha256.Size)
	if err != nil {
		return err
	}
	if want := vocabulary(words); !bytes.Equal(got, want[:]) {
		return fmt.Errorf("pack %s: %w", f.path, damaged("section %q: laid out by other names than the %d of this version of the program", name, len(words)))
	}
	return nil
}

func vocabulary(words []string) [sha256.Size]byte {
	digest := sha256.New()
	for _, word := range words {
		digest.Write(append([]byte(word), 0))
	}
	return [sha256.Size]byte(digest.Sum(nil))
}
