package coord

import "strconv"

// AppendLatLng appends polygons as JSON: a list of polygons, each a list of rings of [lat, lng] in degrees.
func AppendLatLng(dst []byte, polygons []Area) []byte {
	dst = append(dst, '[')
	for i, polygon := range polygons {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, '[')
		for r := range polygon.Ends {
			if r > 0 {
				dst = append(dst, ',')
			}
			dst = appendRing(dst, polygon.Ring(r))
		}
		dst = append(dst, ']')
	}
	return append(dst, ']')
}

func appendRing(dst []byte, ring []Point) []byte {
	dst = append(dst, '[')
	for i, p := range ring {
		if i > 0 {
			dst = append(dst, ',')
		}
		lng, lat := p.Degrees()
		dst = strconv.AppendFloat(append(dst, '['), lat, 'f', -1, 64)
		dst = strconv.AppendFloat(append(dst, ','), lng, 'f', -1, 64)
		dst = append(dst, ']')
	}
	return append(dst, ']')
}
