import { signal } from "@preact/signals";
import { beforeEach, expect, test, vi } from "vitest";

const { remote, searchNames, changeSearch } = vi.hoisted(() => ({
  remote: vi.fn(),
  searchNames: vi.fn(),
  changeSearch: vi.fn(),
}));
vi.mock("../worker/index.ts", () => ({ remote }));
vi.mock("./recent.ts", () => ({ recentSearches: () => [], forgetSearches: () => {} }));
vi.mock("../state/index.ts", () => ({
  draft: signal({ filters: {} }),
  pageState: signal({}),
  found: signal(undefined),
  chosenPlace: signal(undefined),
  changeSearch,
  searchNames,
}));

const { choose } = await import("./choices.ts");

const MONACO = { kind: "country", id: "m", name: "Monaco", country: "MC", lon: 7.42, lat: 43.73 };

beforeEach(() => vi.resetAllMocks());

test.each([
  ["Apotheke Monaco", ["Apotheke"]],
  ["cafes near Pearl Street Boulder", ["cafes", "near"]],
  ["hotels in Japan", ["hotels", "in"]],
])("Enter on %j follows no suggestion without the words %j", async (name, unused) => {
  remote.mockResolvedValue({ found: [{ ...MONACO, unused }], isPartial: false });
  await choose({ kind: "name", name });
  expect(searchNames.mock.calls).toEqual([[name, undefined]]);
  expect(changeSearch).not.toHaveBeenCalled();
});

test("Enter follows a suggestion that uses all words", async () => {
  remote.mockResolvedValue({ found: [{ ...MONACO, unused: [] }], isPartial: false });
  await choose({ kind: "name", name: "Monaco" });
  expect(searchNames).not.toHaveBeenCalled();
  expect(changeSearch).toHaveBeenCalledWith(expect.objectContaining({ country: "MC" }));
});
