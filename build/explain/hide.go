package explain

// Hide removes from a report which places and stops those are that may not be shown: their names, keys and coordinates.
// That they count, and their distances, stay.
func (r *Report) Hide(mayShow func(lng, lat float64) bool) {
	for i := range r.Values {
		r.Values[i].hide(mayShow)
	}
}

func (x *Explanation) hide(mayShow func(lng, lat float64) bool) {
	for i := range x.Places {
		if p := &x.Places[i]; p.At != nil && !mayShow(p.At.Lng, p.At.Lat) {
			p.Name, p.Key, p.Records, p.Corrected, p.At = "", "", "", "", nil
		}
	}
	for i := range x.Lines {
		if l := &x.Lines[i]; l.At != nil && !mayShow(l.At.Lng, l.At.Lat) {
			l.Stop, l.StopKey, l.At = "", "", nil
		}
	}
	for i := range x.Under {
		x.Under[i].hide(mayShow)
	}
}
