// Package xlsx reads a sheet of a workbook of Office Open XML (ECMA-376) as comma-separated text. Input: an archive that was
// opened with limits. Output: UTF-8, a line a row, texts in quotes, numbers as short as they are exact, dates as ISO 8601 has
// them, nothing where a cell has no value or an error. It is our own because the readers at hand end a damaged sheet as if it
// were complete (thedatashed/xlsxreader), or round numbers as they are shown (xuri/excelize).
package xlsx

import (
	"archive/zip"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"path"
	"strconv"
	"strings"
)

// ErrNoSheet is the error of a workbook without the sheet that is asked for; its text names those that it has.
var ErrNoSheet = errors.New("no such sheet")

// Limits of a workbook, those of rows and columns of the format.
const (
	maxRows    = 1 << 20
	maxColumns = 1 << 14
	maxTexts   = 128 << 20 // bytes of texts that cells share, which are kept in memory
	maxCell    = 1 << 20   // bytes of a text
	maxDepth   = 64        // of elements
)

const bookName = "xl/workbook.xml"

func member(archive *zip.Reader, name string) *zip.File {
	for _, f := range archive.File {
		if strings.EqualFold(strings.TrimPrefix(f.Name, "/"), name) {
			return f
		}
	}
	return nil
}

// book is a workbook without its cells.
type book struct {
	archive *zip.Reader
	Sheets  []struct {
		Name  string `xml:"name,attr"`
		State string `xml:"state,attr"` // "", hidden
		ID    string `xml:"http://schemas.openxmlformats.org/officeDocument/2006/relationships id,attr"`
	} `xml:"sheets>sheet"`
	Properties struct {
		From1904 string `xml:"date1904,attr"`
	} `xml:"workbookPr"`
}

// Text reads a sheet; without a name the first that is not hidden. Its errors, also those of reading, are of the file.
func Text(archive *zip.Reader, sheet string) (io.ReadCloser, error) {
	b := book{archive: archive}
	if err := b.decode(bookName, &b); err != nil {
		return nil, err
	}
	name, err := b.find(sheet)
	if err != nil {
		return nil, err
	}
	s := &Sheet{}
	if s.dates, err = b.dates(); err != nil {
		return nil, err
	}
	s.from1904 = b.Properties.From1904 == "1" || b.Properties.From1904 == "true"
	if s.texts, err = b.texts(); err != nil {
		return nil, err
	}
	file := member(archive, name)
	if file == nil {
		return nil, fmt.Errorf("it has no %s", name)
	}
	if s.file, err = file.Open(); err != nil {
		return nil, err
	}
	s.in = xml.NewDecoder(s.file)
	return s, nil
}

// decode decodes a small member.
func (b *book) decode(name string, into any) error {
	file := member(b.archive, name)
	if file == nil {
		return fmt.Errorf("it has no %s", name)
	}
	if file.UncompressedSize64 > maxTexts {
		return fmt.Errorf("%s has %d bytes, at most %d are read", name, file.UncompressedSize64, maxTexts)
	}
	in, err := file.Open()
	if err != nil {
		return err
	}
	defer in.Close()
	if err := xml.NewDecoder(in).Decode(into); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// find is the member that has a sheet.
func (b *book) find(sheet string) (string, error) {
	var relations struct {
		List []struct {
			ID     string `xml:"Id,attr"`
			Target string `xml:"Target,attr"`
			Type   string `xml:"Type,attr"`
		} `xml:"Relationship"`
	}
	if err := b.decode("xl/_rels/workbook.xml.rels", &relations); err != nil {
		return "", err
	}
	var names []string
	for _, s := range b.Sheets {
		names = append(names, s.Name)
		if sheet != s.Name && (sheet != "" || s.State != "" && s.State != "visible") {
			continue
		}
		for _, r := range relations.List {
			if r.ID == s.ID && strings.HasSuffix(r.Type, "/worksheet") {
				if target, absolute := strings.CutPrefix(r.Target, "/"); absolute {
					return target, nil
				}
				return path.Join("xl", r.Target), nil
			}
		}
	}
	return "", fmt.Errorf("%w %q; there are: %s", ErrNoSheet, sheet, strings.Join(names, ", "))
}

// dates are the styles of cells that show dates or times, by their number.
func (b *book) dates() (map[int]bool, error) {
	const name = "xl/styles.xml"
	var styles struct {
		Formats []struct {
			ID   int    `xml:"numFmtId,attr"`
			Code string `xml:"formatCode,attr"`
		} `xml:"numFmts>numFmt"`
		Cells []struct {
			Format int `xml:"numFmtId,attr"`
		} `xml:"cellXfs>xf"`
	}
	if member(b.archive, name) == nil {
		return nil, nil
	}
	if err := b.decode(name, &styles); err != nil {
		return nil, err
	}
	own := map[int]bool{}
	for _, f := range styles.Formats {
		own[f.ID] = showsDate(f.Code)
	}
	dates := map[int]bool{}
	for i, cell := range styles.Cells {
		n := cell.Format
		dates[i] = own[n] || n >= 14 && n <= 22 || n >= 27 && n <= 36 || n >= 45 && n <= 47 || n >= 50 && n <= 58
	}
	return dates, nil
}

// showsDate reports whether a format has a letter of dates outside of quotes, brackets and after a backslash.
func showsDate(code string) bool {
	var until byte
	for i := 0; i < len(code); i++ {
		switch c := code[i]; {
		case until != 0:
			if c == until {
				until = 0
			}
		case c == '"':
			until = '"'
		case c == '[':
			until = ']'
		case c == '\\' || c == '_' || c == '*':
			i++
		case strings.IndexByte("dmyhsDMYHS", c) >= 0:
			return true
		case c == ';':
			return false // the rest is of other numbers
		}
	}
	return false
}

// texts are those that cells share.
func (b *book) texts() (list []string, err error) {
	file := member(b.archive, "xl/sharedStrings.xml")
	if file == nil {
		return nil, nil
	}
	if file.UncompressedSize64 > maxTexts {
		return nil, fmt.Errorf("the texts of its cells have %d bytes, at most %d are read; save it as CSV", file.UncompressedSize64, maxTexts)
	}
	in, err := file.Open()
	if err != nil {
		return nil, err
	}
	defer in.Close()
	d := xml.NewDecoder(in)
	for {
		token, err := d.Token()
		if err == io.EOF {
			return list, nil
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file.Name, err)
		}
		if start, ok := token.(xml.StartElement); ok && start.Name.Local == "si" {
			text, err := textIn(d)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", file.Name, err)
			}
			list = append(list, text)
		}
	}
}

// textIn is the text of the elements t in the element whose start was read, without that of the pronunciation.
func textIn(d *xml.Decoder) (string, error) {
	var text strings.Builder
	depth, spoken, inText := 1, 0, false
	for depth > 0 {
		token, err := d.Token()
		if err != nil {
			return "", err
		}
		switch t := token.(type) {
		case xml.StartElement:
			if depth++; depth > maxDepth {
				return "", errors.New("elements are too deep")
			}
			if t.Name.Local == "rPh" {
				spoken = depth
			}
			inText = t.Name.Local == "t" && spoken == 0
		case xml.EndElement:
			if depth == spoken {
				spoken = 0
			}
			depth--
			inText = false
		case xml.CharData:
			if inText {
				text.Write(t)
			}
		}
		if text.Len() > maxCell {
			return "", fmt.Errorf("a text of more than %d bytes", maxCell)
		}
	}
	return text.String(), nil
}

// number is a number as short as it is exact: 45.4231 of 45.423099999999998.
func number(text string) (float64, string, bool) {
	value, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return 0, "", false
	}
	return value, strconv.FormatFloat(value, 'f', -1, 64), true
}
