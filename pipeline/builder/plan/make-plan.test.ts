import { expect, test } from "vitest";
import { ALL_COUNTRIES } from "../../../data/format/manifest.ts";
import { planetRows, planetSources } from "../../testing/planet-sources.ts";
import { type BuildPlan, type DeriveTask, numberTasks, type Stage } from "./build-plan.ts";
import { type CountryRows, groupCountries, LEAST_ROWS_OF_TABLES } from "./country-groups.ts";
import { makeStages, planPublish } from "./make-plan.ts";

/** Millions of rows whose keys a task reads. */
const KEYS_A_TASK = 16;

function planOf(share: number, taskRows = 1e6): readonly Stage[] {
  const inputs = { sources: planetSources(share), version: "v", outlines: "o", taskRows, packBytes: 4 << 20 };
  return makeStages({ ...inputs, countriesOf: (type) => countriesOf(planetRows(type) * share) });
}

/** Some large countries and many small ones. */
function countriesOf(rows: number): CountryRows[] {
  const letters = "ABCDEFGHIJKLMNO";
  const codes = [...letters].flatMap((first) => [...letters].map((second) => first + second));
  const weights = codes.map((_, index) => 1 / (1 + ((index * 97) % codes.length)));
  const all = weights.reduce((sum, weight) => sum + weight, 0);
  return codes.map((code, index) => [code, Math.floor(((weights[index] ?? 0) / all) * rows)]);
}

const tasksOf = (stages: readonly Stage[]) => stages.flatMap(({ tasks }) => tasks);

test("the size of a plan is linear in its tasks, also for a planet", () => {
  const [part, planet] = [planOf(1 / 16), planOf(1)];
  const bytesOfTask = (stages: readonly Stage[]) => JSON.stringify(stages).length / tasksOf(stages).length;
  expect(tasksOf(planet).length).toBeGreaterThan(10_000);
  expect(bytesOfTask(planet)).toBeLessThan(400);
  expect(bytesOfTask(planet) / bytesOfTask(part)).toBeLessThan(1.1);
});

test("the survey finds the tasks that numbered a collection's rows, in the order of buckets", () => {
  const stages = planOf(1 / 16);
  const surveys = tasksOf(stages).filter(({ stage }) => stage === "survey");
  const numbered = surveys.flatMap(({ key }) => numberTasks({ stages } as Pick<BuildPlan, "stages">, { survey: key }));
  expect(numbered).toEqual(stages.find(({ name }) => name === "number")?.tasks.map(({ key }) => key));
});

test("groups have each country once, in order; a large one is alone, and few rows more or less move no country", () => {
  for (const rows of [0, 40, 3000, 1e6, 1e9]) {
    const countries = countriesOf(rows).filter(([, count]) => count > 0);
    const groups = groupCountries(countries);
    const membersOf = (all: typeof groups) =>
      all.map(({ first, last }) => countries.flatMap(([code]) => (code >= first && code <= last ? [code] : [])));
    expect(membersOf(groups).flat()).toEqual(countries.map(([code]) => code));
    expect(groups.reduce((sum, group) => sum + group.rows, 0)).toBe(
      countries.reduce((sum, [, count]) => sum + count, 0),
    );
    const largest = countries.reduce((most, [, count]) => Math.max(most, count), 0);
    const others = groups.find((group) => group.rows >= largest)?.rows ?? 0;
    expect(others - largest).toBeLessThanOrEqual(Math.max(256, rows / 4));
    const changed = groupCountries(countries.map(([code, count]) => [code, count + (code === "AC" ? 1 : 0)]));
    expect(membersOf(changed)).toEqual(membersOf(groups));
  }
});

test("a small table has one group", () => {
  const countries = countriesOf(3000).filter(([, count]) => count > 0);
  expect(groupCountries(countries).length).toBeGreaterThan(1);
  expect(groupCountries(countries, LEAST_ROWS_OF_TABLES)).toHaveLength(1);
});

test("a task's memory depends on its rows", () => {
  const sizesOf = (stages: readonly Stage[], wanted: string) =>
    new Set(
      tasksOf(stages)
        .filter(({ stage, collection }) => stage === wanted && collection === "building")
        .map(({ memoryBytes }) => memoryBytes / 2 ** 30),
    );
  expect(sizesOf(planOf(1e-6), "number")).toEqual(new Set([1]));
  // A million rows, or a group of small countries.
  expect(sizesOf(planOf(1), "number")).toEqual(new Set([4, 6]));
  // Counts of cells of 158 million rows.
  expect(sizesOf(planOf(1 / 16), "survey")).toEqual(new Set([1]));
});

test("stages that grow with rows are divided into tasks, and a small collection has one task per stage", () => {
  const planet = tasksOf(planOf(1)).filter(({ collection }) => collection === "building");
  for (const wanted of ["duplicates", "tally"]) {
    const tasks = planet.filter(({ stage }) => stage === wanted);
    expect(tasks.length, wanted).toBeGreaterThanOrEqual(2534 / KEYS_A_TASK);
    // At most 16 million rows.
    expect(Math.max(...tasks.map(({ memoryBytes }) => memoryBytes)), wanted).toBeLessThanOrEqual(1.5 * 2 ** 30);
  }
  expect(planet.filter(({ stage }) => stage === "survey")).toHaveLength(1);
  const small = tasksOf(planOf(1e-3)).filter(({ collection }) => collection === "building");
  const stages = ["duplicates", "tally", "survey"];
  expect(stages.map((wanted) => small.filter(({ stage }) => stage === wanted).length)).toEqual([1, 1, 1]);
});

test("look-ups are made in shares of at most 16 million rows, which depend only on the rows", () => {
  const findsOf = (stages: readonly Stage[], wanted: string) =>
    tasksOf(stages).filter(
      (task): task is DeriveTask => task.stage === "derive" && `${task.collection} ${task.run}` === wanted,
    );
  const planet = planOf(1);
  const shares = findsOf(planet, "building find");
  expect(shares.map(({ share }) => share)).toEqual(Array.from({ length: 256 }, (_, share) => share));
  expect(new Set(shares.map((task) => task.shares))).toEqual(new Set([256]));
  expect(planetRows("building") / 1e6 / shares.length).toBeLessThanOrEqual(KEYS_A_TASK);
  expect(findsOf(planOf(1, 2.5e5), "building find").length).toBe(shares.length);
  expect(findsOf(planOf(1e-3), "building find")).toHaveLength(1);
  for (const run of ["count_brand", "count_category", "count_country"])
    expect(findsOf(planet, `place ${run}`)).toHaveLength(1);
  const asked = (isOf: (run: string) => boolean): number =>
    Math.max(
      ...tasksOf(planet).flatMap((task) => (task.stage === "derive" && isOf(task.run) ? [task.memoryBytes] : [])),
    );
  expect(asked((run) => run !== "suggest" && run !== "count_cell")).toBeLessThanOrEqual(1.5 * 2 ** 30);
  // A task holds the counts of a group of countries, or of the country with most buildings.
  expect(asked((run) => run === "count_cell")).toBeLessThanOrEqual(4 * 2 ** 30);
});

test("output is published in shares of about equal bytes, each file counts extra, and tasks of builds are separate", () => {
  const made = tasksOf(planOf(1e-3)).map((task, index) => {
    // Some tasks have no files, one has more than a share.
    const files = Array.from({ length: index % 3 }, () => ({ bytes: index === 100 ? 2 ** 30 : 2 ** 20 }));
    return { task, files };
  });
  const sizeOf = ({ files }: { files: readonly { bytes: number }[] }) =>
    files.reduce((sum, { bytes }) => sum + bytes + 2 ** 18, 0);
  const shareBytes = 8 * 2 ** 20;
  const shares = planPublish({ made, lock: "mine", shareBytes });
  expect(shares.flatMap(({ from }) => from)).toEqual(made.flatMap(({ task, files }) => (files[0] ? [task.key] : [])));
  const sizes = shares.map(({ from }) => made.filter(({ task }) => from.includes(task.key)).map(sizeOf));
  const sum = (share: readonly number[]) => share.reduce((all, size) => all + size, 0);
  expect(sizes.filter((share) => share.length > 1 && sum(share) > shareBytes)).toEqual([]);
  for (const [index, share] of sizes.slice(1).entries())
    expect(sum(sizes[index] ?? []) + (share[0] ?? 0)).toBeGreaterThan(shareBytes);
  expect(planPublish({ made, lock: "mine", shareBytes: 2 ** 40 })).toHaveLength(1);
  expect(planPublish({ made: made.slice(0, 1), lock: "mine", shareBytes })).toEqual([]);
  const others = new Set(planPublish({ made, lock: "another's", shareBytes }).map(({ key }) => key));
  expect(shares.filter(({ key }) => others.has(key))).toEqual([]);
});

test("each country is counted once: in one task with others, or in all shares of its cells", () => {
  const countries = countriesOf(2534e6).filter(([, rows]) => rows > 0);
  const tallies = tasksOf(planOf(1)).filter((task) => task.stage === "tally" && task.collection === "building");
  const within = ([code]: CountryRows) =>
    tallies.flatMap((task) => (task.stage === "tally" && task.first <= code && code <= task.last ? [task] : []));
  for (const country of countries) {
    const mine = within(country);
    expect(mine.map(({ share }) => share)).toEqual(Array.from({ length: mine[0]?.shares ?? 0 }, (_, share) => share));
    expect(mine.every(({ shares }) => shares === 1 || country[1] > KEYS_A_TASK * 1e6)).toBe(true);
  }
});

/** Countries of each index task of a collection, and the task for all countries together. */
function indexUnits(stages: readonly Stage[], wanted: string): { countries: CountryRows[]; hasWorldwide: boolean }[] {
  const mine = tasksOf(stages).filter(({ collection }) => collection === wanted);
  const groups = mine.flatMap((task) => (task.stage === "survey" ? task.groups : []));
  const buckets = groups.flatMap((group) => Array.from({ length: group.buckets }, () => group));
  const countries = countriesOf(planetRows("building"));
  return mine.flatMap((task) => {
    if (task.stage !== "index") return [];
    const [first, last] = [buckets[task.of[0]]?.first ?? "", buckets[task.of[1] - 1]?.last ?? ""];
    const within = countries.filter(([code]) => first <= code && code <= last);
    return [{ countries: within, hasWorldwide: task.hasWorldwide }];
  });
}

test("an index task has consecutive countries, however many rows other tasks have", () => {
  const units = indexUnits(planOf(1), "building");
  const countries = countriesOf(planetRows("building"));
  expect(units.flatMap((unit) => unit.countries)).toEqual(countries);
  expect(units.length).toBeGreaterThan(10);
  for (const unit of units) {
    const rows = unit.countries.reduce((sum, [, count]) => sum + count, 0);
    expect(rows <= 128e6 || unit.countries.length === 1).toBe(true);
  }
  // It sorts before all codes.
  expect(units.map(({ hasWorldwide }) => hasWorldwide)).toEqual(units.map((_, index) => index === 0));
  expect(countries.every(([code]) => code > ALL_COUNTRIES)).toBe(true);
  expect(indexUnits(planOf(1, 250_000), "building")).toEqual(units);
  expect(indexUnits(planOf(1e-3), "building")).toHaveLength(1);
});
