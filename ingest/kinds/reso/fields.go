package reso

import "strings"

// field is a field of the RESO Data Dictionary that is read, of the resource Property or HistoryTransactional.
type field int

// The fields. Names of version 1.7 and of 2.0 are one field where they differ.
const (
	listingKey field = iota
	listingID
	system
	systemID
	modified
	standardStatus
	mlsStatus
	propertyType
	propertySubType
	unitsTotal
	onMarketDate
	onMarketAt
	listingContractDate
	contingentDate
	purchaseContractDate
	pendingAt
	offMarketDate
	offMarketAt
	withdrawnDate
	cancellationDate
	expirationDate
	closeDate
	priceChangeAt
	listPrice
	originalListPrice
	closePrice
	livingArea
	livingAreaUnits
	yearBuilt
	parcelNumber
	county
	unparsedAddress
	streetNumber
	streetDirPrefix
	streetName
	streetSuffix
	streetDirSuffix
	unitNumber
	city
	state
	postalCode
	country
	latitude
	longitude
	class // no field of RESO: the class of building by the options
	recordKey
	fieldName
	newValue
	previousValue
	resourceName
	mayView
	fieldCount
)

// fieldNames are the names of the fields: that of Data Dictionary 2.0 first, then those of 1.7 and of common exports.
var fieldNames = [fieldCount][]string{
	listingKey:           {"ListingKey", "ListingKeyNumeric"},
	listingID:            {"ListingId"},
	system:               {"OriginatingSystemName"},
	systemID:             {"OriginatingSystemID", "SourceSystemName"},
	modified:             {"ModificationTimestamp"},
	standardStatus:       {"StandardStatus"},
	mlsStatus:            {"MlsStatus"},
	propertyType:         {"PropertyType"},
	propertySubType:      {"PropertySubType"},
	unitsTotal:           {"NumberOfUnitsTotal"},
	onMarketDate:         {"OnMarketDate"},
	onMarketAt:           {"OnMarketTimestamp"},
	listingContractDate:  {"ListingContractDate"},
	contingentDate:       {"ContingentDate"},
	purchaseContractDate: {"PurchaseContractDate"},
	pendingAt:            {"PendingTimestamp"},
	offMarketDate:        {"OffMarketDate"},
	offMarketAt:          {"OffMarketTimestamp"},
	withdrawnDate:        {"WithdrawnDate"},
	cancellationDate:     {"CancellationDate", "CancelationDate", "CanceledDate", "CancelledDate"},
	expirationDate:       {"ExpirationDate"},
	closeDate:            {"CloseDate"},
	priceChangeAt:        {"PriceChangeTimestamp"},
	listPrice:            {"ListPrice"},
	originalListPrice:    {"OriginalListPrice"},
	closePrice:           {"ClosePrice"},
	livingArea:           {"LivingArea"},
	livingAreaUnits:      {"LivingAreaUnits"},
	yearBuilt:            {"YearBuilt"},
	parcelNumber:         {"ParcelNumber"},
	county:               {"CountyOrParish"},
	unparsedAddress:      {"UnparsedAddress"},
	streetNumber:         {"StreetNumber", "StreetNumberNumeric"},
	streetDirPrefix:      {"StreetDirPrefix"},
	streetName:           {"StreetName"},
	streetSuffix:         {"StreetSuffix", "StreetSuffixModifier"},
	streetDirSuffix:      {"StreetDirSuffix"},
	unitNumber:           {"UnitNumber"},
	city:                 {"City", "PostalCity"},
	state:                {"StateOrProvince"},
	postalCode:           {"PostalCode"},
	country:              {"Country"},
	latitude:             {"Latitude"},
	longitude:            {"Longitude"},
	class:                {},
	recordKey:            {"ResourceRecordKey", "ResourceRecordKeyNumeric"},
	fieldName:            {"FieldName"},
	newValue:             {"NewValue"},
	previousValue:        {"PreviousValue"},
	resourceName:         {"ResourceName"},
	mayView:              {"MlgCanView"}, // of MLS Grid: false takes a listing out
}

// fold removes what is written in different ways: case, spaces, underscores, hyphens and the like. ActiveUnderContract,
// "Active Under Contract" and active_under_contract are one.
func fold(text string) string {
	lower := true
	for i := 0; i < len(text) && lower; i++ {
		lower = text[i] >= 'a' && text[i] <= 'z' || text[i] >= '0' && text[i] <= '9'
	}
	if lower {
		return text
	}
	var b strings.Builder
	b.Grow(len(text))
	for _, r := range text {
		switch {
		case r >= 'A' && r <= 'Z':
			b.WriteByte(byte(r) + 'a' - 'A')
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9', r == '+':
			b.WriteByte(byte(r))
		}
	}
	return b.String()
}

// values are the texts of the fields of a record; "" is missing.
type values [fieldCount]string
