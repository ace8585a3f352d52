package servetest

import (
	"strconv"

	"quartier/internal/address"
	"quartier/internal/coord"
	"quartier/internal/pack"
	"quartier/internal/pack/addresses"
	"quartier/schemas"
)

// AddressSource is the source of the addresses of a release, by its region and id.
const AddressSource = "border/addresses"

// Addresses that tests name. BorderRoad is a street of both countries; TwiceStreet one of two towns of Vermont.
const (
	NorthAddress  = "12 rue de l'Église, Northville, QC J0J 1J0"
	SouthAddress  = "14 Main St, Southville, VT 05001"
	BorderRoad    = "7 Border Rd"
	TwiceStreet   = "3 Twice St, VT"
	AddressMetres = 20 // from a number to the next one of its side
)

// addressesOf are the numbers from first to last of a street that goes north from a point, those of its side.
func addressesOf(street, place, region, postal string, lng, lat float64, first, last int) (list []addresses.Record) {
	for n := first; n <= last; n += 2 {
		at, _ := coord.NewPoint(lng, lat+float64(n/2)*AddressMetres*degreesMetres)
		list = append(list, addresses.Record{Number: strconv.Itoa(n), Street: street, Place: place,
			Region: address.Region{Country: region[:2], Code: region[3:]}, Postal: postal, Point: at, Source: AddressSource})
	}
	return list
}

func addressesOfWorld() (all []addresses.Record) {
	for _, list := range [][]addresses.Record{
		addressesOf("rue de l'Église", "Northville", "CA_QC", "J0J1J0", Lng, NorthLat, 2, 40),
		addressesOf("Border Rd", "Northville", "CA_QC", "J0J1J0", Lng, 45.001, 1, 9),
		addressesOf("Border Rd", "Southville", "US_VT", "05001", Lng, 44.998, 1, 9),
		addressesOf("Main St", "Southville", "US_VT", "05001", Lng, SouthLat, 2, 40),
		addressesOf("Twice St", "Southville", "US_VT", "05001", Lng+.01, SouthLat, 1, 9),
		addressesOf("Twice St", "Westville", "US_VT", "05002", Lng-.3, SouthLat, 1, 9),
	} {
		all = append(all, list...)
	}
	return all
}

// sparseAddresses is one without postal code and source.
func sparseAddresses() []addresses.Record {
	all := addressesOf("rue de l'Église", "Northville", "CA_QC", "", Lng, NorthLat, 12, 12)
	all[0].Source = ""
	return all
}

func (w *world) writeAddresses(out *pack.Writer, m *schemas.Manifest) error {
	table := addresses.NewWriter(out, "")
	defer table.Close()
	streets := map[string]bool{}
	for _, r := range w.addresses {
		if err := table.Add(&r); err != nil {
			return err
		}
		streets[r.Street+r.Place] = true
		m.Counts.Addresses++
	}
	m.Counts.AddressStreets = int64(len(streets))
	return table.Finish()
}
