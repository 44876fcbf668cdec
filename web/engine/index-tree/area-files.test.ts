import { beforeAll, describe, expect, test } from "vitest";
import { areaOfBox } from "../../../data/format/area.ts";
import type { BBox } from "../../../data/format/bbox.ts";
import { cellFacetsOf } from "../../../data/format/cell-levels.ts";
import { COLLECTION_NAMES } from "../../../data/format/collections.ts";
import { queryTermsOf } from "../../../data/format/fold.ts";
import { objectOf } from "../../../data/format/json.ts";
import { collectionIn } from "../../../data/format/own-collections.ts";
import { representativePoint } from "../../../data/format/representative-point.ts";
import { decodeParquet } from "../../hosts/node/parquet.ts";
import { FetchError } from "../contract/errors.ts";
import type { ByteSource } from "../contract/ports.ts";
import type { CountQuery, Query } from "../contract/query.ts";
import { openDataset } from "../dataset.ts";
import { createMemo } from "../tasks/memo.ts";
import { type Random, randomFrom } from "../testing/random.ts";
import { openSample, type Sample } from "../testing/sample.ts";
import { type AreaSelection, type AreaShape, listAreaFiles } from "./area-files.ts";
import type { IndexPage, SliceEntry } from "./files.ts";
import { type Index, readIndex } from "./tree.ts";

/** A source with only the manifest and these slices, like an offline device. */
function onlySlices(source: ByteSource, slices: readonly SliceEntry[]): ByteSource {
  return {
    name: "in the field",
    async read(path, options = {}) {
      const { start = 0, end = Number.POSITIVE_INFINITY } = options.range ?? {};
      const isHere = slices.some(
        (slice) => slice.path === path && slice.offset <= start && end <= slice.offset + slice.bytes,
      );
      if (path === "manifest.json" || isHere) return source.read(path, options);
      throw new FetchError(`${path} is not here`, { path, cause: new TypeError("no network") });
    },
  };
}

const open = (source: ByteSource) => openDataset({ source, decode: decodeParquet });
const answerOf = async (dataset: ReturnType<typeof open>, query: Query) => {
  const { total, features } = await dataset.search(query);
  return { total, ids: Array.from(features(new Set()), ({ id }) => id) };
};

describe("a saved area of the sample", () => {
  let sample: Sample;
  let index: Index;
  let everything: ReturnType<typeof open>;
  const collections = COLLECTION_NAMES.filter((name) => !["land_cover", "bathymetry"].includes(name));

  beforeAll(async () => {
    sample = await openSample();
    index = await readIndex({ source: sample.source, pages: createMemo<IndexPage>() });
    everything = open(sample.source);
  }, 300_000);

  const field = async (selection: AreaSelection) => {
    const files = await listAreaFiles(selection, index);
    return { files, dataset: open(onlySlices(sample.source, files)) };
  };

  async function compare(shape: AreaShape, queryAt: (random: Random) => Query): Promise<void> {
    const random = randomFrom(5);
    const { dataset } = await field({ shape, collections, hasNames: false });
    for (let i = 0; i < 60; i++) {
      const query = queryAt(random);
      expect(await answerOf(dataset, query), JSON.stringify(query)).toEqual(await answerOf(everything, query));
    }
  }

  const page = (random: Random) => ({
    collections: [random.of(collections)],
    offset: random.of([0, 0, 7, 300]),
    limit: random.of([1, 25, 1000]),
  });

  test("by circle answers every search whose circle is inside it", async () => {
    const area = { lon: 7.4246, lat: 43.7384, radiusMeters: 900 };
    await compare({ kind: "circle", ...area }, (random) => {
      const radiusMeters = random.magnitude(1, 900);
      const off = ((area.radiusMeters - radiusMeters) / 111_195) * 0.7;
      const circle = { lon: area.lon + random.spread(off), lat: area.lat + random.spread(off), radiusMeters };
      const country = random.of([undefined, "MC", "FR"]);
      return { ...page(random), circle, ...(country ? { country } : {}) };
    });
  });

  test("by box answers every search inside it, by circle and by box", async () => {
    const bbox: BBox = [-105.3, 40, -105.25, 40.03];
    await compare({ kind: "bbox", bbox }, (random) => {
      const [lon, lat] = [random.between(-105.29, -105.26), random.between(40.01, 40.02)];
      const inner: BBox = [lon - 0.005, lat - 0.005, lon + 0.005, lat + 0.005];
      if (random.below(2) === 0) return { ...page(random), filters: { bbox: inner } };
      return { ...page(random), circle: { lon, lat, radiusMeters: random.magnitude(1, 800) } };
    });
  });

  test("by country answers its pages, and circles among its rows", async () => {
    await compare({ kind: "country", country: "MC" }, (random) => {
      const [lon, lat] = [random.between(7.415, 7.435), random.between(43.73, 43.745)];
      const circle = { lon, lat, radiusMeters: random.magnitude(1, 400) };
      return random.below(3) === 0
        ? { ...page(random), country: "MC" }
        : { ...page(random), circle, ...(random.below(2) === 0 ? { country: "MC" } : {}) };
    });
  });

  test("with names answers searches in its countries, and suggests", async () => {
    const shape = { kind: "country", country: "MC" } as const;
    const { dataset } = await field({ shape, collections, hasNames: true });
    for (const name of ["hotel", "monte", "rue", "saint", "casino"]) {
      for (const collection of ["place", "segment", "infrastructure"] as const) {
        const query = { collections: [collection], country: "MC", filters: { terms: [[`name:${name}`]] } };
        const whole = { ...query, offset: 0, limit: 100 };
        expect(await answerOf(dataset, whole)).toEqual(await answerOf(everything, whole));
      }
      const typed = { text: name, country: "MC", limit: 8 };
      expect(await dataset.suggest(typed)).toEqual(await everything.suggest(typed));
    }
  });

  test("without names finds every place, street, address and town of its circle by name", async () => {
    const shape = { kind: "circle", lon: 7.4246, lat: 43.7384, radiusMeters: 500 } as const;
    const { dataset } = await field({ shape, collections, hasNames: false });
    const held = async () => [{ circle: shape, collections }];
    let isIncomplete = false;
    const onMissing = () => {
      isIncomplete = true;
    };
    const asked = { near: shape, language: "fr", limit: 7, held, onMissing } as const;
    const random = randomFrom(30_9);
    for (const collection of ["place", "segment", "address", "division_area"] as const) {
      const query = { collections: [collection], circle: shape, offset: 0, limit: 1000 };
      const rows = [...(await everything.search(query)).features()];
      const named = rows.flatMap(({ properties: { names, number, street, subtype } }) => {
        const called = collection === "address" ? `${street} ${number}` : objectOf(names)?.primary;
        return typeof called === "string" && (collection !== "segment" || subtype === "road") ? [called] : [];
      });
      for (let i = 0; i < 5; i++) {
        const text = random.of(named);
        isIncomplete = false;
        const found = await dataset.suggest({ ...asked, text });
        const words = queryTermsOf(text);
        const isMeant = found.some(({ name, matched = name }) => {
          return words.every((word) => queryTermsOf(`${name} ${matched}`).some((term) => term.startsWith(word)));
        });
        expect(isMeant, `${text}: ${found.map(({ name }) => name).join(", ")}`).toBe(true);
        expect(isIncomplete, text).toBe(true);
      }
    }
    const words = { casino: ["Casino"], pharmacy: ["Pharmacie", "officine"] };
    const [category, first] = await dataset.suggest({
      ...asked,
      text: "officine",
      categories: true,
      categoryWords: [words],
    });
    expect(category).toMatchObject({ kind: "category", id: "pharmacy" });
    expect(first).toMatchObject({ kind: "place", category: "pharmacy" });
    const [own] = await dataset.suggest({ ...asked, text: "pharmacy", categories: true });
    expect(own).toMatchObject({ kind: "category", id: "pharmacy" });
    await expect(dataset.suggest({ ...asked, text: "casino", held: async () => [] })).rejects.toThrow("is not here");
    await expect(dataset.suggest({ text: "casino", near: shape, limit: 7 })).rejects.toThrow("is not here");
  });

  test("without names finds an address as people write it, with unit, town, region and another kind of street", async () => {
    const shape = { kind: "circle", lon: -105.279, lat: 40.018, radiusMeters: 700 } as const;
    const { dataset } = await field({ shape, collections, hasNames: false });
    const asked = { near: shape, limit: 5, held: async () => [{ circle: shape, collections }], onMissing: () => {} };
    const query = { collections: ["address"], circle: shape, offset: 0, limit: 2000 } as const;
    const random = randomFrom(50_10);
    const rows = [...(await everything.search(query)).features()]
      .map(({ properties: { number, street, unit } }) => ({ number, street: String(street), unit }))
      .filter(({ street }) => / (St|Ave)$/i.test(street));
    expect(rows.length).toBeGreaterThan(100);
    for (let i = 0; i < 12; i++) {
      const { number, street } = random.of(rows);
      const other = street.replace(/St$/i, "Street").replace(/Ave$/i, "Avenue");
      for (const text of [
        `${number} ${street} Apt 4321`,
        `${number} ${other}, Boulder, CO`,
        `#4321, ${number} ${street}, Boulder CO 80302, USA`,
      ]) {
        const [first] = await dataset.suggest({ ...asked, text });
        const found = `${first?.kind} ${first?.name}`.toLowerCase();
        expect(found, text).toContain(`address ${number} ${street}`.toLowerCase());
      }
    }
    const withUnit = rows.find(({ unit }) => /\d/.test(String(unit)));
    const [unit] = await dataset.suggest({
      ...asked,
      text: `${withUnit?.number} ${withUnit?.street} ${withUnit?.unit}`,
    });
    expect(unit?.name.toLowerCase()).toContain(String(withUnit?.unit).toLowerCase());
    expect(unit?.unused).toEqual([]);
    const nothing = await dataset.suggest({ ...asked, text: "99999 Nowhere St Apt 4" });
    expect(nothing.filter(({ kind }) => kind === "address")).toEqual([]);
  });

  test("opens every record in it at its position, without the index of ids", async () => {
    const [lon, lat] = [7.4246, 43.7384];
    const circle = { lon, lat, radiusMeters: 500 } as const;
    const bbox: BBox = [lon - 0.005, lat - 0.005, lon + 0.005, lat + 0.005];
    for (const shape of [
      { kind: "circle", ...circle },
      { kind: "bbox", bbox },
      { kind: "country", country: "MC" },
    ] as const) {
      const { dataset } = await field({ shape, collections, hasNames: false });
      for (const collection of ["place", "segment", "address", "building", "place_building"] as const) {
        const inside = { collections: [collection], circle: { lon, lat, radiusMeters: 250 }, country: "MC" };
        const rows = [...(await everything.search({ ...inside, offset: 0, limit: 12 })).features()];
        expect(rows.length, collection).toBeGreaterThan(3);
        for (const { id, geometry } of rows) {
          const [x = 0, y = 0] = representativePoint(geometry) ?? [];
          // as in a URL of the page
          const near = { lon: Number(x.toFixed(6)), lat: Number(y.toFixed(6)) };
          await expect(dataset.find([collection], id)).rejects.toThrow("is not here");
          expect(await dataset.find([collection], id, { near }), id).toEqual(await everything.find([collection], id));
        }
      }
    }
    const { dataset } = await field({ shape: { kind: "circle", ...circle }, collections, hasNames: false });
    const boulder = { near: { lon: -105.27, lat: 40.0165 } };
    for (const where of [boulder, { near: { lon, lat } }]) {
      await expect(dataset.find(["place"], "an unknown id", where)).rejects.toMatchObject({
        path: expect.stringContaining("place/_find/"),
      });
    }
  });

  const countsEqual = async (dataset: ReturnType<typeof open>, query: CountQuery) => {
    const counted = await dataset.count(query);
    expect(counted, JSON.stringify(query)).toEqual(await everything.count(query));
    return counted.total;
  };

  test("counts its rows, by cell, country, value and condition, without the counts per cell", async () => {
    const random = randomFrom(46_2);
    const center = { lon: 7.4246, lat: 43.7384 };
    const bbox: BBox = [center.lon - 0.004, center.lat - 0.004, center.lon + 0.004, center.lat + 0.004];
    const cells = [1, 2, 3, 4, 5, 6].map((chars) => ({ by: "cell", chars }) as const);
    const groups = [undefined, { by: "country" }, ...cells] as const;
    let total = 0;
    for (const shape of [
      { kind: "circle", ...center, radiusMeters: 600 },
      { kind: "bbox", bbox },
      { kind: "country", country: "MC" },
    ] as const) {
      const { files, dataset } = await field({ shape, collections, hasNames: false });
      expect(files.filter(({ path }) => path.includes("count_cell"))).toEqual([]);
      for (const collection of collections) {
        for (let i = 0; i < 3; i++) {
          const circle = { ...center, radiusMeters: random.magnitude(20, 300) };
          const inside = random.of([{ circle }, { circle, country: "MC" }, { areas: [areaOfBox(bbox)], circle }]);
          const facets = cellFacetsOf(collectionIn(index.manifest, collection)).map(({ name }) => name);
          const own = facets.map((facet) => ({ by: "facet", facet }) as const);
          const group = random.of([...groups, ...own, ...own]);
          const filters = random.of([undefined, { bbox: [7.42, 43.735, 7.43, 43.74] as BBox }]);
          total += await countsEqual(dataset, {
            collections: [collection],
            ...inside,
            group,
            ...(filters && { filters }),
          });
        }
      }
      for (const filters of [
        { terms: [["category:restaurant"]] },
        { terms: [["category:restaurant", "category:cafe"]], atLeast: { confidence: 0.6 } },
        { atLeast: { confidence: 0.75 } },
        { terms: [["taxonomy:food_and_drink"]] },
      ]) {
        const circle = { ...center, radiusMeters: 290 };
        for (const group of [undefined, { by: "cell", chars: 6 }, { by: "facet", facet: "primary" }] as const)
          total += await countsEqual(dataset, { collections: ["place"], circle, filters, group });
      }
      if (shape.kind === "country")
        for (const group of [undefined, { by: "facet", facet: "primary" }] as const)
          total += await countsEqual(dataset, { collections: ["place"], country: "MC", group });
    }
    expect(total).toBeGreaterThan(4000);
  });

  test("a count outside it fails as a search does", async () => {
    const shape = { kind: "circle", lon: 7.4246, lat: 43.7384, radiusMeters: 300 } as const;
    const { dataset } = await field({ shape, collections: ["place"], hasNames: false });
    const boulder = { collections: ["place"], circle: { lon: -105.271, lat: 40.0165, radiusMeters: 500 } } as const;
    const errorOf = (work: Promise<unknown>) =>
      work.then(
        () => undefined,
        (error: Error) => error,
      );
    const searched = await errorOf(dataset.search({ ...boulder, offset: 0, limit: 25 }));
    for (const group of [undefined, { by: "cell", chars: 5 }, { by: "facet", facet: "primary" }] as const) {
      const counted = await errorOf(dataset.count({ ...boulder, group }));
      expect(counted).toBeInstanceOf(FetchError);
      expect(counted).toMatchObject({
        path: expect.stringMatching(/^place\/_(points|pages)\//),
        message: searched?.message,
      });
    }
  });

  test("with names is a small part of the dataset too", async () => {
    const shape = { kind: "circle", lon: 7.4246, lat: 43.7384, radiusMeters: 1000 } as const;
    const bytesOf = async (hasNames: boolean) => {
      const { files } = await field({ shape, collections: ["place"], hasNames });
      const kinds: Record<string, number> = {};
      for (const { path, bytes } of files) {
        const kind = /^\w+\/([_a-z]+)/.exec(path)?.[1] ?? "";
        kinds[kind] = (kinds[kind] ?? 0) + bytes;
      }
      return kinds;
    };
    const own = await bytesOf(false);
    const named = await bytesOf(true);
    // for a country of one town the whole term run
    expect(named._term, JSON.stringify({ own, named })).toBeLessThan(17_700);
  });

  test("names the file that a search outside it needs", async () => {
    const shape = { kind: "circle", lon: 7.4246, lat: 43.7384, radiusMeters: 300 } as const;
    const { dataset } = await field({ shape, collections: ["place"], hasNames: false });
    const boulder: Query = {
      collections: ["place"],
      circle: { lon: -105.271, lat: 40.0165, radiusMeters: 500 },
      offset: 0,
      limit: 25,
    };
    await expect(dataset.search(boulder)).rejects.toMatchObject({
      path: expect.stringMatching(/^place\/_(points|pages)\//),
    });
  });

  test("is a small part of the dataset, and lists each file once", async () => {
    const shape = { kind: "circle", lon: 7.4246, lat: 43.7384, radiusMeters: 300 } as const;
    const { files } = await field({ shape, collections: ["place", "building"], hasNames: false });
    expect(new Set(files.map(({ path, offset }) => `${path} ${offset}`)).size).toBe(files.length);
    expect(files.every(({ path }) => /^(place|building)\/(country=|_pages|_points)/.test(path))).toBe(true);
    expect(files.length).toBeLessThan(16);
    expect(files.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThan(1_200_000);
  });
});
