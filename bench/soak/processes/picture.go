package processes

import (
	"fmt"
	"strings"
)

// CSV has a line for each sample.
func (c *Curves) CSV() []byte {
	out := []byte("seconds,resident_mb,anonymous_mb,goroutines,descriptors\n")
	for _, s := range c.samples {
		out = fmt.Appendf(out, "%.2f,%.1f,%.1f,%d,%d\n", s.seconds, s.resident, s.anonymous, s.goroutines, s.descriptors)
	}
	return out
}

// Sizes of the picture, in pixels.
const (
	panelWidth  = 760
	panelHeight = 150
	panelLeft   = 60
	panelTop    = 30
)

// SVG is a picture of the curves: a panel for each, from zero up, over the time.
func (c *Curves) SVG(title string) []byte {
	var b strings.Builder
	height := len(quantities)*(panelHeight+panelTop) + 40
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" font-family="sans-serif" font-size="12">`+"\n",
		panelWidth+2*panelLeft, height)
	fmt.Fprintf(&b, `<rect width="100%%" height="100%%" fill="white"/><text x="%d" y="18" font-size="14">%s</text>`+"\n", panelLeft, title)
	if len(c.samples) > 0 {
		for i, q := range quantities {
			c.panel(&b, 30+i*(panelHeight+panelTop), q.name+q.unit, q.of)
		}
	}
	b.WriteString("</svg>\n")
	return []byte(b.String())
}

// panel draws one curve.
func (c *Curves) panel(b *strings.Builder, top int, name string, of func(sample) float64) {
	last, most := c.samples[len(c.samples)-1].seconds, 1.0
	for _, s := range c.samples {
		most = max(most, of(s))
	}
	most *= 1.1
	fmt.Fprintf(b, `<rect x="%d" y="%d" width="%d" height="%d" fill="none" stroke="#999"/>`, panelLeft, top+20, panelWidth, panelHeight-20)
	fmt.Fprintf(b,
		`<text x="%d" y="%d">%s</text><text x="%d" y="%d" text-anchor="end">%.0f</text><text x="%d" y="%d" text-anchor="end">0</text><text `+
			`x="%d" y="%d" text-anchor="end">%.0f s</text>`,
		panelLeft, top+14, name, panelLeft-6, top+30, most, panelLeft-6, top+panelHeight, panelLeft+panelWidth, top+panelHeight+14, last)
	b.WriteString(`<polyline fill="none" stroke="#06c" points="`)
	for _, s := range c.samples {
		fmt.Fprintf(b, "%.1f,%.1f ", panelLeft+panelWidth*s.seconds/last, float64(top+panelHeight)-float64(panelHeight-20)*of(s)/most)
	}
	b.WriteString(`"/>` + "\n")
}
