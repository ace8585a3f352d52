package pack

import (
	"bytes"
	"crypto/sha256"
)

// PutVocabulary writes a section with a digest of the names of the columns of a table, in their order.
func PutVocabulary(w *Writer, name string, words []string) {
	digest := vocabulary(words)
	Put(w, name, digest[:])
}

// CheckVocabulary fails if the columns of a table have other names than words: another version of the program wrote it,
// and its numbers have another meaning.
func (l *Loader) CheckVocabulary(name string, words []string) {
	want := vocabulary(words)
	if got := Load[byte](l, name, sha256.Size); !bytes.Equal(got, want[:]) {
		l.Fail("section %q: written by another version of the program, with other names than these %d", name, len(words))
	}
}

func vocabulary(words []string) [sha256.Size]byte {
	digest := sha256.New()
	for _, word := range words {
		digest.Write(append([]byte(word), 0))
	}
	return [sha256.Size]byte(digest.Sum(nil))
}
