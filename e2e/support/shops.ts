/** A made-up table of shops with a column of each type. @module */

export interface Shop {
  readonly name: string;
  readonly kind: string;
  readonly lat: number;
  readonly lng: number;
  readonly price: number | null;
  readonly isOrganic: boolean;
  readonly opened: string;
  readonly note: string;
  readonly area: string;
}

const KINDS = ["Bakery", "Butcher", "Café", "Books & more"];
const WORDS = ["fresh", "organic", "small", "friendly", "corner", "Müller"];
const AREAS = ["North", "South"];

/** Returns the same shops in each run. */
export function makeShops(): readonly Shop[] {
  let state = 1;
  const random = (below: number): number => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
  return Array.from({ length: 300 }, (_, index) => ({
    name: `${WORDS[random(6)]} ${KINDS[random(4)]} ${index}`,
    kind: KINDS[random(4)] ?? "",
    lat: 47.9 + random(2000) / 10_000,
    lng: 7.8 + random(2000) / 10_000,
    price: random(10) === 0 ? null : random(1000) / 10,
    isOrganic: random(2) === 0,
    opened: `20${10 + random(16)}-0${1 + random(9)}-1${random(10)}`,
    note: `${WORDS[random(6)]} and ${WORDS[random(6)]} number ${index}`,
    area: AREAS[random(2)] ?? "",
  }));
}

/** Returns the table as CSV, with one more row that has no place. */
export function shopsCsv(shops: readonly Shop[]): string {
  const lines = shops.map(({ name, kind, lat, lng, price, isOrganic, opened, note, area }) =>
    [name, kind, lat, lng, price ?? "", isOrganic, opened, note, area].join(";"),
  );
  return ["Name;Category;Lat;Lon;Price;Organic;Opened;Note;area", ...lines, "No place;Bakery;;;1;true;;;"].join("\n");
}
