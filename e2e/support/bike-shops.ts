/** Tables of shops of any size. @module */
import { readFile } from "node:fs/promises";
import Papa from "papaparse";

const TABLE = "docs/examples/bike-shops.csv";

export type Shop = Readonly<Record<string, string>>;

/** The example's shops, then copies of them at other places. */
export async function shopsOf(count: number): Promise<readonly Shop[]> {
  const { data } = Papa.parse<Shop>((await readFile(TABLE, "utf8")).trim(), { header: true });
  let state = 1;
  const random = (): number => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
  return Array.from({ length: count }, (_, index) => {
    const row = data[index % data.length] ?? {};
    if (index < data.length) return row;
    const at = { Latitude: (51.6 + random() * 3).toFixed(5), Longitude: (-10 + random() * 4).toFixed(5) };
    return { ...row, ...at, Name: `${row.Name} ${index}`, Phone: `+353 1 555 ${1000 + index}` };
  });
}

/** As a CSV file. */
export function csvOf(shops: readonly Shop[]): string {
  return Papa.unparse([...shops]);
}
