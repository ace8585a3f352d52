package raptor

// Reached are the stops where one gets off within the limits at some departure, in no useful order. Valid until the next query.
func (s *Search) Reached() []uint32 { return s.reached }

// Least are the fewest seconds to where one gets off at a stop; Unreached if one does not.
func (s *Search) Least(stop uint32) uint16 {
	least := s.span[stop].least
	return min(uint16(least), uint16(least>>16), uint16(least>>32), uint16(least>>48))
}
