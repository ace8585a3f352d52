package schools

import "slices"

// sorted are records in their order.
func sorted(records []*record) []*record {
	list := slices.Clone(records)
	slices.SortFunc(list, compareRecords)
	return list
}
