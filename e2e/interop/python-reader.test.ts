import { execFile } from "node:child_process";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type CollectionName, isCollectionName } from "../../data/format/collections.ts";
import { queryTermsOf } from "../../data/format/fold.ts";
import type { Geometry } from "../../data/format/geometry.ts";
import { parseManifest } from "../../data/format/manifest-schema.ts";
import type { Dataset } from "../../web/engine/index.ts";
import { randomFrom } from "../../web/engine/testing/random.ts";
import { buildSample } from "../../web/engine/testing/sample.ts";
import { openNodeDataset } from "../../web/hosts/node/open.ts";
import { startServer } from "../../web/hosts/node/server.ts";

const READER = fileURLToPath(new URL("../../data/python", import.meta.url));

interface Question {
  readonly collection: CollectionName;
  readonly lat?: number;
  readonly lng?: number;
  readonly radius?: number;
  readonly country?: string;
  readonly name?: string;
  readonly category?: string;
  readonly limit?: number;
  readonly offset?: number;
  readonly id?: string;
}

interface Answer {
  readonly total?: number;
  readonly ids?: readonly string[];
  readonly metres?: readonly (number | null)[];
  readonly geometries?: readonly Geometry[];
  readonly error?: string;
}

let folder: string;
let dataset: Dataset;
let python: string | undefined;
let scratch: string;
beforeAll(async () => {
  folder = await buildSample();
  dataset = await openNodeDataset(folder);
  scratch = await mkdtemp(join(tmpdir(), "cairn-python-"));
  python = await new Promise((resolve) => {
    execFile("python3", ["--version"], (error) => resolve(error ? undefined : "python3"));
  });
  if (!python && process.env.CI) throw new Error("CI has no python3");
});
afterAll(() => rm(scratch, { recursive: true }));

/** Asks the reader in Python. */
async function ask(at: string, questions: readonly Question[]): Promise<Answer[]> {
  const script = join(READER, "tests/questions.py");
  const output = await new Promise<string>((resolve, reject) => {
    const env = { ...process.env, PYTHONPATH: READER, PYTHONDONTWRITEBYTECODE: "1" };
    const child = execFile("python3", [script, at], { env, maxBuffer: 1 << 30 }, (error, stdout) => {
      if (error) reject(error);
      else resolve(stdout);
    });
    child.stdin?.end(questions.map((question) => `${JSON.stringify(question)}\n`).join(""));
  });
  return output
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Answer);
}

/** Asks the engine the same. */
async function expectedOf(question: Question): Promise<Answer> {
  const { collection, lat, lng, radius = 1000, country, name, category, limit = 25, offset = 0 } = question;
  const terms = [
    ...(name === undefined ? [] : queryTermsOf(name).map((word) => [`name:${word}`])),
    ...(category === undefined ? [] : [[`category:${category}`]]),
  ];
  const found = await dataset.search({
    collections: [collection],
    ...(lat === undefined || lng === undefined ? {} : { circle: { lat, lon: lng, radiusMeters: radius } }),
    ...(country === undefined ? {} : { country }),
    ...(terms.length > 0 ? { filters: { terms } } : {}),
    limit,
    offset,
  });
  const features = [...found.features()];
  return {
    total: found.total,
    ids: features.map(({ id }) => id),
    metres: features.map(({ properties }) => (properties.ext_distance as number | undefined) ?? null),
    geometries: features.map(({ geometry }) => geometry),
  };
}

/** Circles of all sizes, countries and names, in all collections of the sample. */
async function randomQuestions(count: number): Promise<Question[]> {
  const { collections } = parseManifest(JSON.parse(await readFile(join(folder, "manifest.json"), "utf8")));
  const names = Object.keys(collections).filter(isCollectionName);
  const random = randomFrom(5);
  const places = [
    [43.7384, 7.4246],
    [40.0176, -105.2797],
    [35.68, 139.76],
    [0, 0],
    [90, 0],
    [-17, 180],
  ] as const;
  return Array.from({ length: count }, (_, index): Question => {
    const collection = names[index % names.length] as CollectionName;
    const page = { limit: random.of([0, 7, 25, 100]), offset: random.of([0, 0, 3, 40]) };
    if (index % 3 > 0) {
      const [lat, lng] = random.of(places);
      const radius = random.of(lat === 43.7384 || lat === 40.0176 ? [0.001, 50, 200] : [1000, 100_000]);
      return { collection, lat: lat + random.spread(0.002) * (lat === 90 ? 0 : 1), lng, radius, ...page };
    }
    const country = random.of(Object.keys(collections[collection]?.countries ?? {}));
    const name = random.of([undefined, undefined, "rue", "hotel", "saint", "the park", "東京"]);
    const hasTerms = collections[collection]?.runs.term !== undefined;
    return { collection, country, ...(name && hasTerms ? { name } : {}), ...page };
  });
}

test("the reader in Python has the same rows, order, distances and counts", async ({ skip }) => {
  if (!python) return skip("python3 is not installed");
  const questions = await randomQuestions(48);
  questions.push({ collection: "place", lat: 43.7384, lng: 7.4246, radius: 500, category: "restaurant" });
  questions.push({ collection: "place", country: "US", category: "cafe", name: "coffee", limit: 5 });
  const answers = await ask(folder, questions);
  let rows = 0;
  for (const [index, question] of questions.entries()) {
    const { names: _, ...answer } = answers[index] as Answer & { names?: unknown };
    const expected = await expectedOf(question);
    expect(answer, JSON.stringify(question)).toEqual(expected);
    rows += expected.ids?.length ?? 0;
  }
  expect(rows).toBeGreaterThan(200);
  const ids = (await expectedOf({ collection: "building", country: "US", limit: 20 })).ids ?? [];
  const found = await ask(
    folder,
    [...ids, "none"].map((id) => ({ collection: "building", id })),
  );
  expect(found.map((answer) => answer.ids)).toEqual([...ids.map((id) => [id]), []]);
});

test("it answers over HTTP, and reports missing and damaged files", async ({ skip }) => {
  if (!python) return skip("python3 is not installed");
  const server = await startServer({ dataset: folder, port: 0 });
  const question = { collection: "place", lat: 43.7384, lng: 7.4246, radius: 300, limit: 5 } as const;
  const [answer] = await ask(new URL("dataset/", server.url).href, [question]).finally(() => server.close());
  expect(answer).toMatchObject(await expectedOf(question));

  const copy = join(scratch, "dataset");
  await cp(folder, copy, { recursive: true });
  const manifest = parseManifest(JSON.parse(await readFile(join(copy, "manifest.json"), "utf8")));
  const nodes = manifest.collections.place?.runs.records.nodes ?? [];
  const node = nodes.find((one) => "country" in one && one.country === "MC");
  const pack = join(copy, "place/_records", `${node?.pack}.pack`);
  const bytes = await readFile(pack);
  await writeFile(pack, bytes.fill(1, (node?.offset ?? 0) + 100, (node?.offset ?? 0) + 200));
  const whole = { collection: "place", country: "MC", limit: 800 } as const;
  expect((await ask(copy, [whole]))[0]?.error).toMatch(/block \d+ does not hold its check/);
  await rm(pack);
  expect((await ask(copy, [whole]))[0]?.error).toContain("cannot be read");
  await writeFile(join(copy, "manifest.json"), JSON.stringify({ ...manifest, release: "another" }));
  await expect(ask(copy, [whole])).rejects.toThrow("manifest.json does not have its hash");
});

test("wrong questions are errors that say what is allowed", async ({ skip }) => {
  if (!python) return skip("python3 is not installed");
  const errors = await ask(folder, [
    { collection: "place", lat: 91, lng: 0 },
    { collection: "place", lat: 43 },
    { collection: "place", country: "XX" },
    { collection: "place", country: "MC", limit: -1 },
    { collection: "place", country: "MC", name: "!" },
  ]);
  expect(errors.map(({ error }) => error)).toEqual([
    "lat 91, lng 0, radius 1000: expected -90 to 90, -180 to 180, 0 or more",
    "lat and lng are only valid together",
    expect.stringMatching(/^country XX, expected some of .*MC/),
    "limit -1 and offset 0, expected 0 or more",
    "name '!' has no letter and no digit",
  ]);
});
