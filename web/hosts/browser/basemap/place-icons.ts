/**
 * The icon of a place on the map, by its categories: those of Overture's taxonomy and tags of OpenStreetMap.
 * @module
 */
import type { PlaceGroup } from "../protocol/index.ts";

/** Icons of Maki by group, each with the categories that it stands for. */
const ICONS: Readonly<Record<PlaceGroup, Readonly<Record<string, string>>>> = {
  food: {
    restaurant: "restaurant food_and_drink casual_eatery eat_and_drink food_court",
    "restaurant-pizza": "pizza_restaurant pizzeria",
    "restaurant-sushi": "sushi_restaurant japanese_restaurant",
    "restaurant-noodle": "noodles_restaurant ramen_restaurant",
    "restaurant-seafood": "seafood_restaurant",
    "fast-food": "fast_food fast_food_restaurant burger_restaurant sandwich_shop",
    cafe: "cafe coffee_shop non_alcoholic_beverage_venue coffee smoothie_juice_bar",
    teahouse: "tea_room tea",
    bakery: "bakery pastry",
    "ice-cream": "ice_cream ice_cream_shop frozen_yogurt_shop",
    bar: "bar alcoholic_beverage_venue cocktail_bar lounge wine_bar",
    beer: "pub biergarten brewery beer_bar",
  },
  shop: {
    shop: "shop shopping retail specialty_store department_store second_hand_store mall shopping_center marketplace",
    grocery: "grocery_store supermarket food_and_beverage_store greengrocer health_food_store deli",
    convenience: "convenience_store convenience kiosk",
    "alcohol-shop": "liquor_store alcohol wine",
    "clothing-store": "clothing_store fashion_and_apparel_store clothes womens_clothing_store boutique",
    shoe: "shoe_store shoes",
    "jewelry-store": "jewelry_store jewelry watches",
    florist: "florist flowers_and_gifts_shop flowers_and_gifts_store",
    furniture: "furniture_store furniture interior_design",
    hardware: "hardware_store hardware doityourself",
    "mobile-phone": "mobile_phone_store mobile_phone",
    optician: "eyewear_and_optician optician",
    hairdresser: "hairdresser hair_salon barber beauty beauty_salon personal_or_beauty_service",
    laundry: "laundry dry_cleaning laundromat laundry_service",
    bicycle: "bicycle_shop bicycle",
    car: "car car_dealer automotive_dealer",
    "car-repair": "car_repair automotive_repair automotive_service vehicle_service",
    bank: "bank bank_or_credit_union bank_credit_union atm atms bureau_de_change",
  },
  health: {
    hospital: "hospital",
    doctor: "doctor doctors clinic health_care outpatient_care_facility medical_service medical_center",
    dentist: "dentist dental_clinic dental_care",
    pharmacy: "pharmacy drugstore chemist",
    veterinary: "veterinary veterinarian animal_hospital animal_service",
  },
  stay: { lodging: "hotel lodging motel hostel guest_house accommodation bed_and_breakfast resort apartment" },
  culture: {
    museum: "museum",
    "art-gallery": "art_gallery gallery artwork arts_and_crafts_space sculpture_statue arts_centre",
    theatre: "theatre theatre_venue performing_arts_venue event_venue auditorium opera_house",
    music: "music_venue topic_concert_venue",
    cinema: "cinema movie_theater",
    casino: "casino",
    nightclub: "nightclub dance_club",
    library: "library",
    monument: "monument memorial historic_site historic landmark_and_historical_building",
    attraction: "attraction tourist_attraction arts_and_entertainment attractions_and_activities",
    viewpoint: "viewpoint scenic_viewpoint",
    "place-of-worship": "place_of_worship religious_organization church_cathedral temple",
    "religious-christian": "christian_place_of_worship catholic_church church",
    "religious-muslim": "mosque muslim_place_of_worship",
    "religious-jewish": "synagogue jewish_place_of_worship",
    "religious-buddhist": "buddhist_temple buddhist_place_of_worship",
  },
  nature: {
    park: "park garden national_park recreational_trail_or_path hiking_trail nature_reserve",
    playground: "playground",
    swimming: "swimming_pool",
    stadium: "stadium stadium_arena stadium_or_arena",
    "fitness-centre": "gym fitness_studio sport_or_fitness_facility fitness_centre sports_centre yoga_studio",
    golf: "golf_course",
    zoo: "zoo",
    campsite: "campground camp_site",
  },
  travel: {
    airport: "airport aerodrome",
    bus: "bus_station bus_stop",
    rail: "train_station station railway_station",
    "rail-metro": "metro_station subway_station",
    parking: "parking parking_garage",
    fuel: "gas_station fuel",
    "charging-station": "ev_charging_station charging_station",
    "bicycle-share": "bicycle_rental bicycle_sharing",
    "car-rental": "car_rental car_rental_agency",
    taxi: "taxi taxi_service",
    ferry: "ferry_terminal ferry_service",
    harbor: "marina harbour",
    mountain: "peak",
  },
  public: {
    school:
      "school primary_school elementary_school high_school middle_school preschool kindergarten place_of_learning",
    college: "college_university college university",
    "town-hall": "town_hall townhall government_office courthouse city_hall community_center community_centre",
    police: "police police_department",
    "fire-station": "fire_station fire_department",
    post: "post_office",
    embassy: "embassy diplomatic",
    toilet: "toilets public_restroom public_toilet",
    information: "information tourist_information visitor_center",
  },
  other: { circle: "" },
};

const ICON_OF = new Map<string, string>();
const GROUP_OF = new Map<string, PlaceGroup>();
for (const [group, icons] of Object.entries(ICONS)) {
  for (const [icon, categories] of Object.entries(icons)) {
    GROUP_OF.set(icon, group as PlaceGroup);
    for (const category of categories.split(" ")) ICON_OF.set(category, icon);
  }
}
/** Icons of categories by their last word, such as `thai_restaurant` and `toy_store`. */
const SUFFIXES: readonly (readonly [suffix: string, icon: string])[] = [
  ["_restaurant", "restaurant"],
  ["_bar", "bar"],
  ["_school", "school"],
  ["_museum", "museum"],
  ["_store", "shop"],
  ["_shop", "shop"],
];

/** A dot, for places without a category of their own. */
const NO_ICON = "circle";

/** Names of all icons. */
export const ICON_NAMES: readonly string[] = [...GROUP_OF.keys()];

/**
 * Returns the name of the Maki icon for the first of the categories that has one; `circle` if none has. Give the narrowest
 * category first.
 */
export function iconOf(categories: readonly string[]): string {
  const found = categories.map((category) => ICON_OF.get(category)).find((icon) => icon !== undefined);
  if (found) return found;
  for (const category of categories) {
    const [, icon] = SUFFIXES.find(([suffix]) => category.endsWith(suffix)) ?? [];
    if (icon) return icon;
  }
  return NO_ICON;
}

/** Returns the group of an icon; `other` for an unknown one. */
export function groupOf(icon: string): PlaceGroup {
  return GROUP_OF.get(icon) ?? "other";
}
