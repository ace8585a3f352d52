package schemas

// JobSectors are the sectors of NAICS by which jobs are counted, in the order of staged.job: agriculture, mining, utilities,
// construction, manufacturing, wholesale, retail, transport and storage, information, finance, real estate, professional
// services, management, support and waste services, education, health, arts and recreation, hotels and food, other
// services, public administration.
var JobSectors = []string{"11", "21", "22", "23", "31-33", "42", "44-45", "48-49", "51", "52", "53", "54", "55", "56", "61", "62", "71",
	"72", "81", "92"}

// JobEarnings are the classes of earnings by which jobs are counted: up to $1,250 a month, up to $3,333, and more.
var JobEarnings = []string{"low", "middle", "high"}
