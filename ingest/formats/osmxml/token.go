package osmxml

import (
	"bufio"
	"encoding/xml"

	"quartier/ingest/source"
)

// tokenInput gives the decoder, which reads byte by byte, no more bytes than a token may have.
type tokenInput struct {
	in   *bufio.Reader
	left int // bytes of the token
}

// ReadByte implements io.ByteReader.
func (t *tokenInput) ReadByte() (byte, error) {
	if t.left == 0 {
		return 0, source.TooLarge("a tag, text or comment", source.MaxToken, "bytes")
	}
	t.left--
	return t.in.ReadByte()
}

// Read implements io.Reader; the decoder does not use it.
func (t *tokenInput) Read(b []byte) (n int, err error) {
	for n < len(b) && err == nil {
		if b[n], err = t.ReadByte(); err == nil {
			n++
		}
	}
	return n, err
}

// token reads the next token, within the limits.
func (p *parser) token() (xml.Token, error) {
	p.input.left = source.MaxToken
	token, err := p.xml.Token()
	if err != nil {
		return nil, err
	}
	switch token.(type) {
	case xml.StartElement:
		if p.depth++; p.depth > source.MaxXMLDepth {
			return nil, source.TooLarge("the nesting", source.MaxXMLDepth, "elements")
		}
	case xml.EndElement:
		p.depth--
	}
	return token, nil
}

// skip reads up to the end of the element that was begun last.
func (p *parser) skip() error {
	for outer := p.depth - 1; p.depth > outer; {
		if _, err := p.token(); err != nil {
			return err
		}
	}
	return nil
}
