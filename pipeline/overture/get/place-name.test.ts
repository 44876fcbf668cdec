import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { booleanIntersects } from "@turf/boolean-intersects";
import { beforeAll, expect, test } from "vitest";
import { openRelease } from "../../../data/release/index.ts";
import { makeRelease } from "../../../e2e/bench/synth/release.ts";
import type { ReleaseFile } from "../../../e2e/bench/synth/stac.ts";
import { openDatabase } from "../../base/database/index.ts";
import { temporaryFolders } from "../../testing/folders.ts";
import { type Row, readParquet } from "../../testing/read-parquet.ts";
import { diskRemote, parseMirror } from "./disk-remote.ts";
import { getExtract } from "./get-extract.ts";
import { choose, findDivisions, type NamedDivision } from "./place-name.ts";

const newFolder = temporaryFolders();

const LATEST = "2026-10-21.0";

let mirror: string;
let divisions: readonly Row[];
let areas: readonly Row[];

beforeAll(async () => {
  mirror = await newFolder();
  const files = await makeRelease({ out: mirror, releases: [LATEST], types: ["division", "division_area"] });
  const rowsOf = async (type: string): Promise<Row[]> => {
    const mine = files.filter((file: ReleaseFile) => file.type === type);
    return (await Promise.all(mine.map(({ path }) => readParquet(join(mirror, path))))).flat();
  };
  [divisions, areas] = [await rowsOf("division"), await rowsOf("division_area")];
});

interface Names {
  readonly primary: string;
  readonly common?: Readonly<Record<string, string>> | null;
  readonly rules?: readonly { readonly value: string }[] | null;
}

function fold(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .normalize("NFD")
    .replaceAll(/\p{Mn}/gu, "");
}

function namesOf(row: Row): string[] {
  const { primary, common, rules } = row.names as Names;
  return [primary, ...Object.values(common ?? {}), ...(rules ?? []).map(({ value }) => value)];
}

function named(text: string): Row[] {
  return divisions.filter((row) => namesOf(row).some((name) => fold(name) === fold(text)));
}

async function find(text: string): Promise<NamedDivision[]> {
  const folder = await newFolder();
  const database = await openDatabase({ folder });
  try {
    const remote = diskRemote();
    const release = await openRelease(remote, parseMirror(mirror), LATEST);
    return await findDivisions(text, { remote, release, database, folder, onNotice: () => undefined });
  } finally {
    database.close();
  }
}

function idsOf(rows: readonly { readonly id?: unknown }[]): string[] {
  return rows.map(({ id }) => String(id)).sort();
}

async function get(text: string, notices: string[] = []): Promise<string> {
  const out = join(await newFolder(), "out");
  const area = { kind: "place", name: text } as const;
  await getExtract({ out, area, mirror: parseMirror(mirror), onNotice: (notice) => notices.push(notice) });
  return out;
}

test("a name finds the same divisions as a loop over the release, in every language, without case and accents", async () => {
  // Random names, and some known difficult ones.
  const some = Array.from({ length: 3 }, (_, index) => divisions[Math.floor((index * divisions.length) / 3)]);
  const texts = some.flatMap((row) => (row ? [namesOf(row)[0] ?? "", namesOf(row).at(-1) ?? ""] : []));
  for (const text of [
    ...texts,
    "Springfield",
    "monaco",
    "MÓNACO",
    "東京都",
    "São Paulo",
    "sao paulo",
    "O'Fallon",
    "nobody's town",
  ]) {
    const wanted = named(text);
    // A comma separates the region.
    if (text.includes(",")) continue;
    const found = await find(text);
    expect(idsOf(found), text).toEqual(idsOf(wanted));
    for (const one of found) {
      const row = wanted.find(({ id }) => id === one.id);
      expect([one.subtype, one.country, one.population]).toEqual([
        row?.subtype,
        row?.country ?? undefined,
        row?.population ?? undefined,
      ]);
    }
  }
  expect(named("Springfield")).toHaveLength(8);
  expect(await find("nobody's town")).toEqual([]);
});

test("the text after a comma is a country, a region, or a division that contains the place", async () => {
  const of = (country: string, region?: string) =>
    idsOf(named("Springfield").filter((row) => row.country === country && (!region || row.region === region)));
  expect(of("US", "US-IL")).toHaveLength(1);
  for (const text of ["Springfield, US-IL", "Springfield, IL", "springfield, il, us"])
    expect(idsOf(await find(text)), text).toEqual(of("US", "US-IL"));
  expect(idsOf(await find("Springfield, US"))).toEqual(of("US"));
  expect(await find("Springfield, FR")).toEqual([]);
  const within = divisions.flatMap((row) => {
    const [above, own] = (row.hierarchies as { name: string }[][] | null)?.[0] ?? [];
    return above && own ? [{ id: row.id, text: `${(row.names as Names).primary}, ${above.name}` }] : [];
  });
  expect(within.length).toBeGreaterThan(100);
  expect(idsOf(await find(within[0]?.text ?? ""))).toContain(within[0]?.id);
  // A comma inside a name.
  expect(idsOf(await find("Washington, D.C."))).toEqual(idsOf(named("Washington, D.C.")));
});

test("a town is fetched by its name: exactly the rows that intersect its area", async () => {
  const notices: string[] = [];
  const out = await get("monaco", notices);
  const area = areas.find(({ names, subtype }) => (names as Names).primary === "Monaco" && subtype === "locality");
  expect(notices[0]).toMatch(/^looking for monaco among the names of all divisions, 0\.\d MB$/);
  expect(notices[1]).toBe(`monaco is Monaco, MC, locality, 39,050 people, division ${area?.division_id}`);
  const wanted = divisions.filter((row) => booleanIntersects(row.geometry as never, area?.geometry as never));
  const folder = join(out, "theme=divisions/type=division");
  const got = (await Promise.all((await readdir(folder)).map((name) => readParquet(join(folder, name))))).flat();
  expect(idsOf(got)).toEqual(idsOf(wanted));
  expect(got.length).toBeGreaterThan(5);
  // The same area as by the id.
  const again = { kind: "division", id: String(area?.division_id) } as const;
  expect((await getExtract({ out, area: again, mirror: parseMirror(mirror) }))?.area.label).toBe(
    `division ${again.id}`,
  );
});

test("an ambiguous name lists ids, a division without an area suggests a box, and an unknown name is an error", async () => {
  const notices: string[] = [];
  await expect(get("Springfield", notices)).rejects.toThrow(
    "place Springfield: 8 divisions match: add the country or region (Springfield, US-MO), or choose one with --division <id>",
  );
  for (const id of idsOf(named("Springfield"))) expect(notices.join("\n")).toContain(`division ${id}`);
  await expect(get("Paris")).rejects.toThrow(
    /^place Paris: release 2026-10-21.0 has no area of Paris, FR-11, locality, 2,138,551 people, division \S+: try --bbox 2.27,48.80,2.42,48.90$/,
  );
  await expect(get("Atlantis-on-Sea")).rejects.toThrow(
    "place Atlantis-on-Sea: no division of release 2026-10-21.0 has this name",
  );
});

test("a town wins over a country, a much larger one over an exact spelling, and equals are ambiguous", () => {
  const one = (id: string, more: Partial<NamedDivision>): NamedDivision => ({
    ...{
      id,
      name: "Here",
      subtype: "locality",
      country: "MC",
      region: undefined,
      population: undefined,
      lon: 0,
      lat: 0,
    },
    ...more,
  });
  const country = one("country", { subtype: "country", population: 1e9 });
  const [small, large] = [one("small", { population: 999 }), one("large", { name: "Hér", population: 9990 })];
  const middle = one("middle", { name: "Hér", population: 9000 });
  expect(choose([country, small], "Here")?.id).toBe("small");
  expect(choose([country], "Here")?.id).toBe("country");
  expect(choose([small, large], "Here, MC")?.id).toBe("large");
  expect(choose([small, middle], "Here, MC")?.id).toBe("small");
  expect(choose([small, middle], "here")).toBeUndefined();
  expect(choose([one("a", {}), one("b", {})], "Here")).toBeUndefined();
  expect(choose([], "Here")).toBeUndefined();
});
