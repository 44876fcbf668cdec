/**
 * Writes the names of place categories in the languages of the page: `npm run category-words -- <package>
 * <categories>`. The package is the folder of @openstreetmap/id-tagging-schema (ISC), whose presets have names,
 * aliases and terms in many languages; the categories are a text file with one of Overture's per line. Categories
 * without a preset are left out and keep their ids.
 * @module
 */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { foldText } from "../../data/format/fold.ts";
import { LANGUAGES, type Language } from "../../data/format/languages.ts";

const OUT = fileURLToPath(new URL("../hosts/category-words/", import.meta.url));

/** Longer ones are explanations, and more of them add little. */
const MOST_CHARS = 40;
const MOST_TERMS = 8;
/** Files of the package whose name differs from the language. */
const FILES: Readonly<Record<string, string>> = { zh: "zh-CN" };
/** Languages with handwritten tables: the package has almost nothing in them. */
const OWN: ReadonlySet<Language> = new Set(["hi"]);
/** A term of more presets identifies no preset, like one that is the name of another. */
const MOST_PRESETS = 3;
const OTHER = /^(@|building|highway|landuse|barrier|advertising|boundary|type|power|traffic|man_made\/pipeline)/;

/** Categories whose preset has another id. */
const MEANT: Readonly<Record<string, string>> = {
  accommodation: "tourism/hotel",
  architectural_designer: "office/architect",
  arts_and_crafts: "shop/craft",
  atms: "amenity/atm",
  auto_body_shop: "shop/car_repair",
  auto_detailing: "amenity/car_wash",
  automotive_dealer: "shop/car",
  automotive_parts_and_accessories: "shop/car_parts",
  automotive_repair: "shop/car_repair",
  bank_credit_union: "amenity/bank",
  beauty_and_spa: "shop/beauty",
  beauty_salon: "shop/beauty",
  bed_and_breakfast: "tourism/guest_house",
  building_supply_store: "shop/doityourself",
  burger_restaurant: "amenity/fast_food/burger",
  campground: "tourism/camp_site",
  car_rental_agency: "amenity/car_rental",
  catholic_church: "amenity/place_of_worship/christian",
  central_government_office: "office/government",
  chicken_restaurant: "amenity/fast_food/chicken",
  childrens_clothing_store: "shop/clothes",
  church_cathedral: "amenity/place_of_worship/christian",
  coffee_shop: "amenity/cafe",
  college_university: "amenity/university",
  cosmetic_and_beauty_supplies: "shop/cosmetics",
  dance_club: "amenity/nightclub",
  day_care_preschool: "amenity/kindergarten",
  desserts: "shop/pastry",
  doctor: "amenity/doctors",
  eat_and_drink: "amenity/restaurant",
  elementary_school: "amenity/school",
  event_photography: "craft/photographer",
  eyewear_and_optician: "shop/optician",
  farmers_market: "amenity/marketplace",
  fast_food_restaurant: "amenity/fast_food",
  financial_advising: "office/financial_advisor",
  fire_department: "amenity/fire_station",
  flowers_and_gifts_shop: "shop/florist",
  fruits_and_vegetables: "shop/greengrocer",
  funeral_services_and_cemeteries: "shop/funeral_directors",
  general_dentistry: "amenity/dentist",
  grocery_store: "shop/supermarket",
  gym: "leisure/fitness_centre",
  hair_salon: "shop/hairdresser",
  high_school: "amenity/school",
  holiday_rental_home: "tourism/apartment",
  home_cleaning: "craft/cleaning",
  home_goods_store: "shop/houseware",
  home_improvement_store: "shop/doityourself",
  information_technology_company: "office/it",
  insurance_agency: "office/insurance",
  it_service_and_computer_repair: "shop/computer",
  key_and_locksmith: "shop/locksmith",
  landmark_and_historical_building: "tourism/attraction",
  landscaping: "craft/gardener",
  legal_services: "office/lawyer",
  lodge: "tourism/hotel",
  massage_therapy: "shop/massage",
  medical_center: "amenity/clinic",
  mens_clothing_store: "shop/clothes",
  middle_school: "amenity/school",
  mosque: "amenity/place_of_worship/muslim",
  motorcycle_dealer: "shop/motorcycle",
  movie_theater: "amenity/cinema",
  nursery_and_gardening: "shop/garden_centre",
  physical_therapy: "healthcare/physiotherapist",
  plumbing: "craft/plumber",
  police_department: "amenity/police",
  preschool: "amenity/kindergarten",
  printing_services: "shop/copyshop",
  psychologist: "healthcare/psychotherapist",
  public_and_government_association: "office/government",
  public_plaza: "place/square",
  real_estate: "office/estate_agent",
  real_estate_agent: "office/estate_agent",
  retirement_home: "amenity/social_facility/nursing_home",
  roofing: "craft/roofer",
  self_storage_facility: "shop/storage_rental",
  shipping_center: "amenity/post_office",
  software_development: "office/it",
  spas: "leisure/sauna",
  sporting_goods: "shop/sports",
  stadium_arena: "leisure/stadium",
  storage_facility: "shop/storage_rental",
  synagogue: "amenity/place_of_worship/jewish",
  tattoo_and_piercing: "shop/tattoo",
  tea_room: "amenity/cafe",
  telecommunications_company: "office/telecommunication",
  tire_dealer_and_repair: "shop/tyres",
  travel_services: "shop/travel_agency",
  used_car_dealer: "shop/car",
  veterinarian: "amenity/veterinary",
  womens_clothing_store: "shop/clothes",
};

/** Names of categories that the page offers and the package lacks. */
const MISSING: Readonly<Partial<Record<Language, Readonly<Record<string, readonly string[]>>>>> = {
  ar: { school: ["مدرسة"] },
};

interface Preset {
  readonly name?: string;
  readonly aliases?: readonly string[];
  /** In some languages a text with commas. */
  readonly terms?: readonly string[] | string;
}
type Presets = Readonly<Record<string, Preset>>;

async function readPresets(folder: string, language: string): Promise<Presets> {
  const name = FILES[language] ?? language;
  const text = await readFile(join(folder, "dist/translations", `${name}.json`), "utf8");
  const { [name]: translated } = JSON.parse(text) as Record<
    string,
    { readonly presets: { readonly presets: Presets } }
  >;
  if (!translated) throw new Error(`${folder}: no presets in ${language}`);
  return translated.presets.presets;
}

const plain = (text: string): string => text.toLowerCase().replace(/[^a-z0-9]+/g, "");

/** Presets by a name reduced to letters; a match by name precedes one by alias. */
function presetsByName(english: Presets): ReadonlyMap<string, string> {
  const all = Object.entries(english).filter(([id]) => !OTHER.test(id));
  const found = new Map<string, string>();
  const add = (name: string | undefined, id: string) => {
    if (name !== undefined && plain(name) !== "" && !found.has(plain(name))) found.set(plain(name), id);
  };
  for (const [id, { name }] of all) add(name, id);
  for (const [id] of all) add(id.split("/").at(-1), id);
  for (const [id, { aliases = [] }] of all) for (const alias of aliases) add(alias, id);
  return found;
}

function presetOf(category: string, byName: ReadonlyMap<string, string>): string | undefined {
  const spelled = [
    category,
    category.replace(/s$/, ""),
    `${category}s`,
    category.replace(/ies$/, "y"),
    category.replace(/_(store|shop)$/, "_store"),
    category.replace(/_(store|shop)$/, "_shop"),
    category.replace(/_(store|shop|services?|office|center)$/, ""),
  ];
  return MEANT[category] ?? spelled.map((name) => byName.get(plain(name))).find((id) => id !== undefined);
}

function termsOf({ terms = [] }: Preset): readonly string[] {
  return typeof terms === "string" ? terms.split(/[,،、，]/) : terms;
}

/** Names first, without repetition; text in parentheses is an explanation. */
function wordsOf(preset: Preset, isCommon: (term: string) => boolean): string[] {
  const { name, aliases = [] } = preset;
  const named = [name ?? "", ...aliases].map((each) => each.replace(/\s*[(（].*$/, ""));
  const others = termsOf(preset)
    .filter((term) => !isCommon(term))
    .slice(0, MOST_TERMS);
  const words = [...named, ...others].map((word) => word.trim());
  const folded = words.map(foldText);
  return words.filter((word, i) => word !== "" && word.length <= MOST_CHARS && folded.indexOf(foldText(word)) === i);
}

const [folder, list] = process.argv.slice(2);
if (!folder || !list) {
  console.error("npm run category-words -- <folder of the package> <file of categories>");
  process.exit(2);
}
const categories = [...new Set((await readFile(list, "utf8")).split("\n").map((line) => line.trim()))]
  .filter(Boolean)
  .sort();
const byName = presetsByName(await readPresets(folder, "en"));
for (const language of LANGUAGES) {
  if (OWN.has(language)) continue;
  const presets = await readPresets(folder, language);
  const uses = new Map<string, number>();
  for (const preset of Object.values(presets))
    for (const term of termsOf(preset)) uses.set(term, (uses.get(term) ?? 0) + 1);
  const names = new Set(Object.values(presets).map(({ name = "" }) => foldText(name)));
  const isCommon = (term: string) => (uses.get(term) ?? 0) > MOST_PRESETS || names.has(foldText(term));
  const lines = categories.flatMap((category) => {
    const id = presetOf(category, byName);
    if (id !== undefined && MEANT[category] === id && !presets[id] && language === "en")
      throw new Error(`no preset ${id} in the package`);
    const words = wordsOf(presets[id ?? ""] ?? {}, isCommon);
    if (words.length === 0) words.push(...(MISSING[language]?.[category] ?? []));
    // in English the data's own word is the name
    if (language === "en" && words.length > 0) words.unshift(category.replaceAll("_", " "));
    return words.length === 0 ? [] : [`  ${JSON.stringify(category)}: ${JSON.stringify(words)}`];
  });
  await writeFile(join(OUT, `words-${language}.json`), `{\n${lines.join(",\n")}\n}\n`);
  console.log(`${language}: ${lines.length} of ${categories.length} categories`);
}
