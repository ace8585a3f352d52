package source

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"gopkg.in/yaml.v3"
)

func decodeStrict(data []byte, options any, source string) error {
	dec := yaml.NewDecoder(bytes.NewReader(data))
	dec.KnownFields(true)
	if err := dec.Decode(options); err != nil && !errors.Is(err, io.EOF) {
		return fmt.Errorf("%w of source %s: %w", ErrBadOptions, source, err)
	}
	return nil
}
