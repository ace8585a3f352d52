package schemas

// Category is a category of POIs in the API.
type Category struct {
	ID    string // lower snake_case
	Label Text
}

// Categories are the 41 categories of the enhanced endpoints, in the order of the API specification. The mapping tables
// of transform/places/poi define which classes belong to each.
var Categories = []Category{
	{"airports", Text{"Airports", "Aéroports"}},
	{"alcohol", Text{"Alcohol", "Alcool"}},
	{"art_culture_science", Text{"Art, culture and science", "Art, culture et science"}},
	{"banks", Text{"Banks", "Banques"}},
	{"bus_stops", Text{"Bus stops", "Arrêts d'autobus"}},
	{"cable_car_stations", Text{"Cable car stations", "Stations de téléphérique"}},
	{"cafes", Text{"Cafes", "Cafés"}},
	{"car_fueling_stations", Text{"Car fuelling stations", "Stations-service"}},
	{"casinos", Text{"Casinos", "Casinos"}},
	{"clothing", Text{"Clothing", "Vêtements"}},
	{"common_needs", Text{"Common needs", "Besoins courants"}},
	{"conference_centers", Text{"Conference centres", "Centres de congrès"}},
	{"convenience_stores", Text{"Convenience stores", "Dépanneurs"}},
	{"daycares", Text{"Daycares", "Garderies"}},
	{"department_stores", Text{"Department stores", "Grands magasins"}},
	{"entertainment", Text{"Entertainment", "Divertissement"}},
	{"ferry_terminals", Text{"Ferry terminals", "Gares maritimes"}},
	{"fitness", Text{"Fitness", "Conditionnement physique"}},
	{"food_shops", Text{"Food shops", "Commerces d'alimentation"}},
	{"funicular_stations", Text{"Funicular stations", "Stations de funiculaire"}},
	{"groceries", Text{"Groceries", "Épiceries"}},
	{"groceries_specialized", Text{"Specialized groceries", "Épiceries spécialisées"}},
	{"health_care", Text{"Health care", "Soins de santé"}},
	{"home_improvement", Text{"Home improvement", "Rénovation"}},
	{"hospitals", Text{"Hospitals", "Hôpitaux"}},
	{"libraries", Text{"Libraries", "Bibliothèques"}},
	{"nightlife", Text{"Nightlife", "Vie nocturne"}},
	{"non_food_shops", Text{"Non-food shops", "Commerces non alimentaires"}},
	{"parks", Text{"Parks", "Parcs"}},
	{"personal_care", Text{"Personal care", "Soins personnels"}},
	{"pet_care", Text{"Pet care", "Soins pour animaux"}},
	{"pharmacies", Text{"Pharmacies", "Pharmacies"}},
	{"rapid_transit_stations", Text{"Rapid transit stations", "Stations de transport rapide"}},
	{"restaurants", Text{"Restaurants", "Restaurants"}},
	{"retail", Text{"Retail", "Commerce de détail"}},
	{"shops_and_services", Text{"Shops and services", "Commerces et services"}},
	{"sport_facilities", Text{"Sport facilities", "Installations sportives"}},
	{"subway_or_separated_rail_stations", Text{"Subway or separated rail stations", "Stations de métro ou de train léger en site propre"}},
	{"supermarkets", Text{"Supermarkets", "Supermarchés"}},
	{"train_stations", Text{"Train stations", "Gares ferroviaires"}},
	{"tram_stops", Text{"Tram stops", "Arrêts de tramway"}},
}

// BaseCategories are the 21 classes of the base endpoint, /v3/pois, in alphabetical order of their ids.
var BaseCategories = []Category{
	{"airports", Text{"Airports", "Aéroports"}},
	{"art_culture_science", Text{"Art, culture and science", "Art, culture et science"}},
	{"bus_stops", Text{"Bus stops", "Arrêts d'autobus"}},
	{"cafes", Text{"Cafes", "Cafés"}},
	{"car_fueling_stations", Text{"Car fuelling stations", "Stations-service"}},
	{"daycares", Text{"Daycares", "Garderies"}},
	{"fitness", Text{"Fitness", "Conditionnement physique"}},
	{"groceries", Text{"Groceries", "Épiceries"}},
	{"groceries_specialized", Text{"Specialized groceries", "Épiceries spécialisées"}},
	{"health_care", Text{"Health care", "Soins de santé"}},
	{"healthy_restaurants", Text{"Healthy restaurants", "Restaurants santé"}},
	{"home_improvement", Text{"Home improvement", "Rénovation"}},
	{"nightlife", Text{"Nightlife", "Vie nocturne"}},
	{"parks", Text{"Parks", "Parcs"}},
	{"personal_care", Text{"Personal care", "Soins personnels"}},
	{"pet_care", Text{"Pet care", "Soins pour animaux"}},
	{"rapid_transit_stations", Text{"Rapid transit stations", "Stations de transport rapide"}},
	{"restaurants", Text{"Restaurants", "Restaurants"}},
	{"shopping", Text{"Shopping", "Magasinage"}},
	{"sport_facilities", Text{"Sport facilities", "Installations sportives"}},
	{"train_stations", Text{"Train stations", "Gares ferroviaires"}},
}

var (
	categoryIndex     = indexOf(Categories)
	baseCategoryIndex = indexOf(BaseCategories)
)

func indexOf(list []Category) map[string]int {
	index := make(map[string]int, len(list))
	for i, c := range list {
		index[c.ID] = i
	}
	return index
}

// CategoryIDs are the ids of a list of categories.
func CategoryIDs(list []Category) []string {
	var ids []string
	for _, c := range list {
		ids = append(ids, c.ID)
	}
	return ids
}

// CategoryIndex is the index of an id in Categories; false if there is no such category.
func CategoryIndex(id string) (int, bool) {
	i, ok := categoryIndex[id]
	return i, ok
}

// BaseCategoryIndex is the index of an id in BaseCategories; false if there is no such category.
func BaseCategoryIndex(id string) (int, bool) {
	i, ok := baseCategoryIndex[id]
	return i, ok
}
