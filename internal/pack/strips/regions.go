package strips

import "quartier/schemas"

// Regions restricts a search to the regions of an agreement.
type Regions struct {
	anywhere bool
	allowed  []bool // by number of the region code
}

// Resolve sets the allowed regions, such as "US_DE" or "CA", of a table with the given region codes; nil allows all. It
// reports whether any code is allowed.
func (r *Regions) Resolve(codes, allowed []string) bool {
	r.anywhere = allowed == nil
	if r.anywhere {
		return true
	}
	r.allowed = r.allowed[:0]
	count := 0
	for _, code := range codes {
		ok := false
		for _, allowance := range allowed {
			ok = ok || schemas.RegionMatches(code, allowance)
		}
		r.allowed = append(r.allowed, ok)
		if ok {
			count++
		}
	}
	r.anywhere = count == len(codes)
	return count > 0
}

// Anywhere reports whether every region is allowed.
func (r *Regions) Anywhere() bool { return r.anywhere }

// Allow reports whether the region with a number is allowed.
func (r *Regions) Allow(region uint16) bool {
	return r.anywhere || int(region) < len(r.allowed) && r.allowed[region]
}
