import { signal } from "@preact/signals";
import { beforeEach, expect, test, vi } from "vitest";

const draft = signal<{ path: string; filters: object; area?: object }>({ path: "places", filters: {} });
const { remote, searchNames, changeSearch } = vi.hoisted(() => ({
  remote: vi.fn(),
  searchNames: vi.fn(),
  changeSearch: vi.fn(),
}));
vi.mock("../worker/index.ts", () => ({ remote }));
vi.mock("./recent.ts", () => ({ recentSearches: () => [], forgetSearches: () => {} }));
vi.mock("../state/index.ts", () => ({
  draft,
  pageState: signal({}),
  found: signal(undefined),
  chosenLocation: signal(undefined),
  changeSearch,
  searchNames,
  kindWithNames: (path: string) => (path === "addresses" ? "places" : path),
}));

const { choicesFor, choose } = await import("./choices.ts");
const { typedText } = await import("./typed-text.ts");

const MONACO = { kind: "country", id: "m", name: "Monaco", country: "MC", lon: 7.42, lat: 43.73 };

beforeEach(() => vi.resetAllMocks());

const PEARL = { ...MONACO, kind: "street", id: "p", name: "Pearl Street", country: "US", lon: -105.28, lat: 40.02 };
const CAFES = { ...PEARL, kind: "category", id: "cafe", name: "Cafe", match: "exact", within: "Pearl Street" };
const STARBUCKS = { ...PEARL, kind: "place", id: "s", name: "Starbucks", match: "exact" };

const answer = (...suggestions: readonly object[]) =>
  remote.mockResolvedValue({ found: suggestions, isPartial: false });

test.each([
  ["Apotheke Monaco", ["Apotheke"]],
  ["joes pizza Monaco", ["joes", "pizza"]],
])("Enter on %j searches the words %j in names there", async (name, unused) => {
  answer({ ...MONACO, unused });
  await choose({ kind: "name", name });
  expect(searchNames).not.toHaveBeenCalled();
  const search = expect.objectContaining({ country: "MC", filters: { name: unused.join(" ") } });
  expect(changeSearch.mock.calls).toEqual([[search]]);
  expect(typedText.value).toMatchObject({ text: name, ignored: [] });
});

test("Enter searches names of places if the chosen records have none", async () => {
  draft.value = { path: "addresses", filters: {} };
  answer({ ...MONACO, unused: ["casino"] });
  await choose({ kind: "name", name: "casino Monaco" });
  expect(changeSearch).toHaveBeenCalledWith(expect.objectContaining({ path: "places", filters: { name: "casino" } }));
  draft.value = { path: "places", filters: {} };
});

test("Enter reports a word that is too short for a search of names", async () => {
  answer({ ...MONACO, unused: ["x"] });
  await choose({ kind: "name", name: "x Monaco" });
  expect(changeSearch).toHaveBeenCalledWith(expect.objectContaining({ country: "MC", filters: {} }));
  expect(typedText.value?.ignored).toEqual(["x"]);
});

test("Enter follows a suggestion that uses all words", async () => {
  answer({ ...MONACO, unused: [] });
  await choose({ kind: "name", name: "Monaco" });
  expect(searchNames).not.toHaveBeenCalled();
  expect(changeSearch).toHaveBeenCalledWith(expect.objectContaining({ country: "MC" }));
});

test("Enter follows a category in a place", async () => {
  answer({ ...MONACO, unused: ["cafes", "pearl"] }, { ...CAFES, unused: [] });
  await choose({ kind: "name", name: "cafes near pearl street" });
  expect(changeSearch).toHaveBeenCalledWith(expect.objectContaining({ filters: { categories: "cafe" } }));
  expect(typedText.value?.ignored).toEqual([]);
});

test("Enter reports the word that the search does not use", async () => {
  answer({ ...CAFES, unused: ["cheap"] });
  await choose({ kind: "name", name: "cheap cafes near pearl street" });
  expect(changeSearch).toHaveBeenCalledWith(expect.objectContaining({ filters: { categories: "cafe" } }));
  expect(typedText.value?.ignored).toEqual(["cheap"]);
});

test("Enter on the name of several places searches all of them", async () => {
  answer({ ...STARBUCKS, unused: [] }, { ...STARBUCKS, id: "t", unused: [] });
  await choose({ kind: "name", name: "starbucks" });
  expect(searchNames.mock.calls).toEqual([["Starbucks", "US"]]);
});

test("Enter on what people want to do searches the category", async () => {
  answer({ ...CAFES, id: "dentist", name: "Dentist", match: "intent", unused: [] });
  await choose({ kind: "name", name: "toothache" });
  expect(changeSearch).toHaveBeenCalledWith(expect.objectContaining({ filters: { categories: "dentist" } }));
});

test("a category is searched in the drawn area", async () => {
  draft.value = { path: "places", filters: {}, area: { type: "Polygon" } };
  await choose({ kind: "found", suggestion: { ...CAFES, within: undefined } as never });
  expect(changeSearch.mock.calls).toEqual([[{ path: "places", country: undefined, filters: { categories: "cafe" } }]]);
  draft.value = { path: "places", filters: {} };
});

test("Enter remembers the category that a text led to", async () => {
  answer({ ...CAFES, unused: [] });
  changeSearch.mockImplementation(({ filters }) => {
    draft.value = { path: "places", filters };
  });
  await choose({ kind: "name", name: "cafes near Pearl Street" });
  expect(typedText.value).toMatchObject({ category: "cafe" });
  await choose({ kind: "name", name: "cafes near Pearl Street" });
  expect(typedText.value).toMatchObject({ category: "cafe" });
  draft.value = { path: "places", filters: {} };
});

test("a code is a point, and a short plus code is near its town", async () => {
  const { signal: never } = new AbortController();
  const tower = { lat: 48.858, lon: 2.294 };
  remote.mockResolvedValueOnce(tower);
  expect(await choicesFor("31U DQ 48251 11932", never)).toEqual({
    choices: [{ kind: "point", centre: tower }],
    missing: "none",
  });
  expect(remote.mock.calls).toEqual([["position", { text: "31U DQ 48251 11932" }, never]]);
  remote.mockClear();
  const town = { ...PEARL, kind: "division", name: "Boulder", unused: [] };
  const beside = { lat: 40.015, lon: -105.28 };
  remote
    .mockResolvedValueOnce({ town: "Boulder" })
    .mockResolvedValueOnce({ found: [town], isPartial: false })
    .mockResolvedValueOnce(beside);
  await choose({ kind: "name", name: "2P8C+22 Boulder" });
  const text = "2P8C+22 Boulder";
  expect(remote.mock.calls.map(([call, argument]) => [call, argument])).toEqual([
    ["position", { text }],
    ["suggest", expect.objectContaining({ text: "Boulder" })],
    ["position", { text, town: { lat: town.lat, lon: town.lon } }],
  ]);
  expect(changeSearch).toHaveBeenCalledWith(expect.objectContaining({ centre: beside }));
});

test("Enter searches names if more than one word is unknown", async () => {
  answer({ ...STARBUCKS, unused: ["with", "parking"] });
  await choose({ kind: "name", name: "starbucks with parking" });
  expect(searchNames.mock.calls).toEqual([["starbucks with parking", undefined]]);
  expect(changeSearch).not.toHaveBeenCalled();
});
