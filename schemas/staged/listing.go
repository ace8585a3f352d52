package staged

// Listing is a row of listing in market.duckdb: a record of a listing or sale as its source has it, in common terms. Empty
// texts and nil are missing. Days are days since 1970-01-01 as published; instants are microseconds since then, UTC.
type Listing struct {
	SourceID string `col:"source_id"`
	System   string `col:"system"`      // OriginatingSystemName; else the id of the source
	Key      string `col:"listing_key"` // ListingKey, unique in its system
	Modified *int64 `col:"modified"`    // ModificationTimestamp; the record of a key with the latest counts
	Status   uint8  `col:"status"`      // a market.Status
	Public   bool   `col:"public_sale"` // has closing date and price alone: it was never on the market
	Type     uint8  `col:"type"`        // a market.PropertyType from SingleFamily on
	Income   bool   `col:"income"`      // residential income, of market.ResidentialIncome

	// Days as published. On, Pending and the like with only a timestamp have it in the instants below.
	OnDay         *int32 `col:"on_day"`         // OnMarketDate
	ListedDay     *int32 `col:"listed_day"`     // ListingContractDate
	ContingentDay *int32 `col:"contingent_day"` // ContingentDate
	ContractDay   *int32 `col:"contract_day"`   // PurchaseContractDate
	OffDay        *int32 `col:"off_day"`        // OffMarketDate
	WithdrawnDay  *int32 `col:"withdrawn_day"`
	CanceledDay   *int32 `col:"canceled_day"`
	ExpiredDay    *int32 `col:"expired_day"` // ExpirationDate
	CloseDay      *int32 `col:"close_day"`

	OnAt           *int64 `col:"on_at"`            // OnMarketTimestamp
	PendingAt      *int64 `col:"pending_at"`       // PendingTimestamp
	OffAt          *int64 `col:"off_at"`           // OffMarketTimestamp
	PriceChangedAt *int64 `col:"price_changed_at"` // PriceChangeTimestamp

	ListPrice         *int64   `col:"list_price"` // dollars, this and the following
	OriginalListPrice *int64   `col:"original_list_price"`
	ClosePrice        *int64   `col:"close_price"`
	LivingAreaSqft    *float64 `col:"living_area_sqft"`
	YearBuilt         *int32   `col:"year_built"`

	Parcel     string   `col:"parcel,null"`      // ParcelNumber, folded, with its county if there is one
	Address    string   `col:"address,null"`     // number and street without the unit, folded, with postal code or city
	Unit       string   `col:"unit,null"`        // folded
	PostalCode string   `col:"postal_code,null"` // five digits
	State      string   `col:"state_code,null"`  // two letters
	Lng        *float64 `col:"lng"`
	Lat        *float64 `col:"lat"`
	File       string   `col:"file"` // path of its file relative to the source, and the record's row in it; see explain --market
	Row        int64    `col:"row"`  // line of the file, or number of the record in it, from 1
}

// ListingChange is a row of listing_change in market.duckdb: a change of a field of a listing (HistoryTransactional).
type ListingChange struct {
	SourceID string `col:"source_id"`
	System   string `col:"system"`
	Key      string `col:"listing_key"`     // ResourceRecordKey
	At       int64  `col:"at"`              // ModificationTimestamp, microseconds, UTC
	Field    string `col:"field"`           // "status" (StandardStatus), "mls_status" or "list_price"
	Status   uint8  `col:"status"`          // a market.Status, of a status; 0: none
	Price    *int64 `col:"price"`           // dollars, of field list_price
	Previous *int64 `col:"previous_price"`  // dollars, of field list_price
	Before   uint8  `col:"previous_status"` // a market.Status; 0: none
	File     string `col:"file"`
	Row      int64  `col:"row"`
}

// SaleKey begins the keys of public sales that have none in their source. Such a key is made of what the sale is: where,
// when, for how much; equal sales of a file are numbered.
const SaleKey = "sale:"
