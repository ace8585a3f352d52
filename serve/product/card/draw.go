package card

import (
	"bytes"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html"
	"image"
	"image/color"
	"image/png"
	"math"
	"strings"
	"unicode"

	"golang.org/x/image/font"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	"golang.org/x/text/unicode/norm"

	"quartier/schemas"
)

// The font, which fonts/subset.mjs makes: as pictures are drawn with, and as it stands in an SVG.
var (
	//go:embed fonts/inter.ttf
	ttf []byte
	//go:embed fonts/inter.woff2
	woff2 []byte

	face, errFace = sfnt.Parse(ttf)
	embedded      = base64.StdEncoding.EncodeToString(woff2)
)

// The size of a picture in units, and of a PNG in pixels for each.
const width, height, margin, scale = 600, 315, 28, 2

// The inks, by which the palette of a theme is made.
const (
	text = iota
	muted
	accent
	track
	inks
)

// themes are the colours of the ground, then those of the inks.
var themes = map[string][1 + inks]uint32{
	"light": {0xffffff, 0x16202c, 0x566372, 0x0f766e, 0xe3e8ee},
	"dark":  {0x12181f, 0xf2f5f8, 0xa3b0bf, 0x2dd4bf, 0x2b3642},
}

// piece is a bar or, where it has a size, a text of which x and y are the beginning, or with end the end, of its baseline.
type piece struct {
	x, y, w, h float64
	ink        int
	size       float64
	text       string
	end        bool
}

// picture is what is drawn.
type picture struct {
	*content
	colours [1 + inks]uint32
	pieces  []piece
}

func (p *picture) write(x, y, size float64, ink int, text string) {
	p.pieces = append(p.pieces, piece{x: x, y: y, size: size, ink: ink, text: text})
}

// draw places what a picture says.
func draw(c *content, theme string) *picture {
	p := &picture{content: c, colours: themes[theme]}
	p.pieces = append(p.pieces, piece{x: -6, y: -6, w: 12, h: height + 12, ink: accent})
	p.write(margin, 48, 27, text, cut(c.name, 27, width-2*margin))
	p.write(margin, 70, 13.5, muted, cut(c.within, 13.5, width-2*margin))
	const column, gap = 258.0, 28.0
	for i, s := range c.scores {
		x, y := margin+float64(i%2)*(column+gap), 89+float64(i/2)*63
		size := 14.0
		for measure(s.label, size) > column-36 && size > 11 {
			size -= .5
		}
		p.write(x, y+13, size, text, cut(s.label, size, column-36))
		p.pieces = append(p.pieces, piece{x: x + column, y: y + 13, size: 15, ink: text, text: s.number, end: true},
			piece{x: x, y: y + 20, w: column, h: 6, ink: track})
		if s.number != "" {
			p.pieces = append(p.pieces, piece{x: x, y: y + 20, w: max(6, column*float64(s.value)/(5*schemas.UnitValue)), h: 6, ink: accent})
		}
		for n, line := range wrap(s.text, 11, column, 2) {
			p.write(x, y+39+float64(n)*12, 11, muted, line)
		}
	}
	date := schemas.Text{EN: "Scores from 0 to 5. Data as of ", FR: "Cotes de 0 à 5. Données au "}.In(c.language) + c.date
	for n, line := range wrap(strings.Join(append([]string{date}, c.attributions...), " · "), 8, width-2*margin, 2) {
		p.write(margin, 291+float64(n)*11, 8, muted, line)
	}
	return p
}

// mostWritten is how much of a text is written, in bytes: more than a line takes.
const mostWritten = 400

// written is the beginning of a text of a release as the font can write it, without accents that it lacks; false where it lacks a
// letter. What controls the direction of a text or is not seen is left out.
func written(given string) (string, bool) {
	var out strings.Builder
	for _, r := range norm.NFC.String(string([]rune(given))) {
		if out.Len() >= mostWritten {
			break
		}
		switch {
		case unicode.IsSpace(r):
			r = ' '
		case unicode.In(r, unicode.Cc, unicode.Cf, unicode.Mn):
			continue
		case glyph(r) == 0:
			r = []rune(norm.NFD.String(string(r)))[0]
		}
		if glyph(r) == 0 {
			return "", false
		}
		out.WriteRune(r)
	}
	text := strings.Join(strings.Fields(out.String()), " ")
	return text, text != ""
}

// glyph is the number of a letter in the font; 0 where it lacks it.
func glyph(r rune) sfnt.GlyphIndex {
	index, _ := face.GlyphIndex(nil, r) // fails for none of a font that was parsed
	return index
}

// measure is the width of a text.
func measure(text string, size float64) (width float64) {
	var buffer sfnt.Buffer
	for _, r := range text {
		advance, _ := face.GlyphAdvance(&buffer, glyph(r), fixed.I(1000), font.HintingNone)
		width += float64(advance) / 64 * size / 1000
	}
	return width
}

// cut shortens a text to a width.
func cut(text string, size, width float64) string {
	used, fits := 0.0, 0
	for at, r := range text {
		if used+measure("…", size) <= width {
			fits = at
		}
		if used += measure(string(r), size); used > width {
			return strings.TrimRight(text[:fits], " ,·") + "…"
		}
	}
	return text
}

// wrap breaks a text into lines, of which the last is cut.
func wrap(text string, size, width float64, most int) (lines []string) {
	words := strings.Fields(text)
	for len(words) > 0 && len(lines) < most-1 {
		n := 1
		for n < len(words) && measure(strings.Join(words[:n+1], " "), size) <= width {
			n++
		}
		lines, words = append(lines, cut(strings.Join(words[:n], " "), size, width)), words[n:]
	}
	if len(words) > 0 {
		lines = append(lines, cut(strings.Join(words, " "), size, width))
	}
	return lines
}

// writeSVG appends the picture with its font, and all that it says as text for those who do not see it.
func writeSVG(b []byte, p *picture) ([]byte, error) {
	var said []string
	for _, s := range p.scores {
		said = append(said, strings.TrimSpace(s.label+" "+s.number)+" ("+s.text+")")
	}
	b = fmt.Appendf(b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %[1]d %[2]d" role="img" `+
		`aria-labelledby="t d" xml:lang="%s"><title id="t">%s</title><desc id="d">%s. %s</desc><style>@font-face{font-family:i;`+
		`src:url(data:font/woff2;base64,%s)}text{font-family:i,sans-serif}</style><rect width="100%%" height="100%%" fill="#%06x"/>`,
		width, height, p.language, html.EscapeString(p.name), html.EscapeString(strings.Join(said, ", ")),
		html.EscapeString(p.date+" "+strings.Join(p.attributions, ", ")), embedded, p.colours[0])
	for _, e := range p.pieces {
		fill := p.colours[1+e.ink]
		switch {
		case e.size == 0:
			b = fmt.Appendf(b, `<rect x="%g" y="%g" width="%.4g" height="%g" rx="%g" fill="#%06x"/>`, e.x, e.y, e.w, e.h, e.radius(), fill)
		case e.text != "":
			anchor := map[bool]string{true: ` text-anchor="end"`}[e.end]
			b = fmt.Appendf(b, `<text x="%g" y="%g" font-size="%g" fill="#%06x"%s>%s</text>`, e.x, e.y, e.size, fill, anchor,
				html.EscapeString(e.text))
		}
	}
	return append(b, `</svg>`...), nil
}

// radius is that of the ends of a bar.
func (e *piece) radius() float64 { return min(e.w, e.h) / 2 }

// shades is how many shades of an ink a palette has: coverages of a pixel from just above 0 to 1. With three of them the palette has at
// most 16 colours, so that a pixel takes four bits and a picture stays below 30 kB.
const shades = 3

// writePNG appends the picture in twice its size. Its pixels are of a palette: mixtures of the ground with one ink.
func writePNG(b []byte, p *picture) ([]byte, error) {
	palette := color.Palette{mix(p.colours[0], p.colours[0], 0)}
	for _, ink := range p.colours[1:] {
		for s := range shades {
			palette = append(palette, mix(p.colours[0], ink, s+1))
		}
	}
	out := image.NewPaletted(image.Rect(0, 0, width*scale, height*scale), palette)
	for i := range p.pieces {
		if e := &p.pieces[i]; e.size == 0 {
			e.fill(out)
		} else if err := e.print(out); err != nil {
			return b, err
		}
	}
	file := bytes.NewBuffer(b)
	encoder := png.Encoder{CompressionLevel: png.BestCompression}
	err := encoder.Encode(file, out)
	return file.Bytes(), err
}

// mix is a shade of an ink on a ground.
func mix(ground, ink uint32, shade int) color.Color {
	part := func(bits int) uint8 {
		from, to := int(ground>>bits&255), int(ink>>bits&255)
		return uint8(from + (to-from)*shade/shades)
	}
	return color.RGBA{part(16), part(8), part(0), 255}
}

// fill draws a bar.
func (e *piece) fill(out *image.Paletted) {
	r := e.radius()
	for y := int(e.y * scale); y < int((e.y+e.h)*scale); y++ {
		for x := int(e.x * scale); x < int((e.x+e.w)*scale); x++ {
			px, py := (float64(x)+.5)/scale, (float64(y)+.5)/scale
			dx, dy := max(e.x+r-px, px-e.x-e.w+r, 0), max(e.y+r-py, py-e.y-e.h+r, 0)
			if shade := int(min((r-math.Hypot(dx, dy))*scale+.5, 1)*shades + .5); shade > 0 {
				out.SetColorIndex(x, y, uint8(e.ink*shades+shade)) // nothing outside of the picture
			}
		}
	}
}

// print draws a text.
func (e *piece) print(out *image.Paletted) error {
	letters, err := opentype.NewFace(face, &opentype.FaceOptions{Size: e.size * scale, DPI: 72})
	if err != nil {
		return err
	}
	d := font.Drawer{Dst: out, Src: image.NewUniform(out.Palette[(e.ink+1)*shades]), Face: letters}
	d.Dot = fixed.Point26_6{X: fixed.Int26_6(e.x * scale * 64), Y: fixed.Int26_6(e.y * scale * 64)}
	if e.end {
		d.Dot.X -= d.MeasureString(e.text)
	}
	d.DrawString(e.text)
	return nil
}
