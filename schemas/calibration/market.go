package calibration

// Market is the constants of market statistics.
type Market struct {
	RelistDays int     `yaml:"relist_days"` // a home that comes on again at most this many days after it went off unsold is the same listing
	SameHomeM  float64 `yaml:"same_home_m"` // listings of a type this near are one home, where neither parcel nor address says otherwise

	MinPrice    int64   `yaml:"least_price"` // dollars; lower prices are nominal
	MinSqft     float64 `yaml:"least_sqft"`
	MaxSqft     float64 `yaml:"most_sqft"`
	FirstYear   int32   `yaml:"first_year"`     // earliest year of construction
	YearsAhead  int     `yaml:"years_ahead"`    // the latest one is so many years after that of the interval's last day
	MaxDays     int     `yaml:"most_days"`      // longer days on market are left out
	PairPercent int64   `yaml:"pair_percent"`   // pairs of asking and sale price this many percent apart, or more, are left out
	FarTimes    int64   `yaml:"far_times"`      // sale prices this many times above or below both asking price and median are left out
	WindowDays  int     `yaml:"window_days"`    // of the windows of market conditions
	MinListings int64   `yaml:"least_listings"` // active inside an interval for market conditions

	// Absorption in ten-thousandths.
	Sellers int64 `yaml:"sellers"` // from this on a sellers' market
	Buyers  int64 `yaml:"buyers"`  // up to this a buyers' market
	Neutral int64 `yaml:"neutral"` // at which the qualifier is 0; it is 1 at twice this
}
