import { expect, test } from "vitest";
import { ALL_COUNTRIES } from "../../../data/format/manifest.ts";
import type { TermPostings } from "../../../data/format/postings.ts";
import { temporaryFolders } from "../../testing/folders.ts";
import type { Change } from "../../testing/small-dataset/index.ts";
import { expectFaults, type Mutation, only } from "./testing.ts";

const newFolder = temporaryFolders();

type Slices = readonly (readonly TermPostings[])[];

const terms = (country: string, changeTo: (slices: Slices) => Slices): Change => ({
  terms: (value, at) => only({ ...at }, { country }, value, changeTo),
});

/** The slices without a term, or with another term instead. */
const term = (country: string, name: string, changeTo: (own: TermPostings) => readonly TermPostings[]): Change =>
  terms(country, (slices) =>
    slices.flatMap((slice) => {
      const changed = slice.flatMap((own) => (own.term === name ? changeTo(own) : [own]));
      return changed.length === 0 ? [] : [changed];
    }),
  );

const node = (changeTo: (node: Readonly<Record<string, unknown>>) => object): Change => ({
  node: (value, at) => only({ ...at }, { run: "term", index: 1 }, value, (own) => ({ ...own, ...changeTo(own) })),
});

const ofSlice = (text: string) => new RegExp(`^place/_term/\\w+\\.pack, slice at \\d+: ${text}`);

const MUTATIONS: readonly Mutation[] = [
  [
    "a term that is missing",
    term("JP", "name:tokyo", () => []),
    /^place: 1 terms are missing from the term run, such as name:tokyo of JP: no rows, expected 8$/,
  ],
  [
    "a term of no row",
    term("JP", "name:tokyo", (own) => [own, { term: "name:tokyp", numbers: [0] }]),
    /^place: 1 terms of the term run should not be there, such as name:tokyp of JP: 1 rows, expected none$/,
  ],
  [
    "a row too few",
    term("JP", "name:tokyo", (own) => [{ ...own, numbers: Array.from(own.numbers).slice(1) }]),
    /^place: 1 terms have not the rows that they should, such as name:tokyo of JP: 7 rows, expected 8$/,
  ],
  [
    "a row that is another",
    term("JP", "name:tokyo", (own) => [
      { ...own, numbers: Array.from(own.numbers, (number, i) => (i === 7 ? number + 1 : number)) },
    ]),
    /^place: 1 terms have not the rows that they should, such as name:tokyo of JP: 8 rows, expected 8$/,
  ],
  [
    "terms of another country's numbers",
    term("MC", "name:strasse", (own) => [{ ...own, numbers: Array.from(own.numbers, (number) => number + 131072) }]),
    /^place: 1 terms have not the rows that they should, such as name:strasse of MC/,
  ],
  [
    "a term without rows",
    term("JP", "name:tokyo", (own) => [{ ...own, numbers: [] }]),
    ofSlice("term name:tokyo has no row"),
    /^place: 1 terms have not the rows/,
  ],
  [
    "terms out of order",
    terms("JP", (slices) =>
      slices.map((slice) => (slice.some((own) => own.term === "name:tokyo") ? slice.toReversed() : slice)),
    ),
    ofSlice("term name:\\S+ does not come after the one before"),
  ],
  [
    "a split term whose slice has another term",
    terms("JP", (slices) => {
      const [first = [], ...others] = slices;
      const [own] = first;
      if (!own) return slices;
      const numbers = Array.from(own.numbers);
      return [
        [{ ...own, numbers: numbers.slice(0, 2) }],
        [{ ...own, numbers: numbers.slice(2) }, ...first.slice(1)],
        ...others,
      ];
    }),
    ofSlice("term brand:bar central is split, but a slice of it has other terms"),
  ],
  [
    "a missing prefix",
    term("JP", "prefix:marin", () => []),
    /^place: 1 terms are missing from the term run, such as prefix:marin of JP: no rows, expected 24$/,
  ],
  [
    "a prefix that another one replaces",
    term("JP", "prefix:marin", (own) => [{ ...own, term: "prefix:mari" }]),
    /^place: 1 terms are missing from the term run, such as prefix:marin of JP/,
    /^place: 1 terms of the term run should not be there, such as prefix:mari of JP/,
  ],
  [
    "a prefix of only one name",
    terms("JP", (slices) => [...slices.slice(0, -1), [{ term: "prefix:zeb", numbers: [1] }], ...slices.slice(-1)]),
    /should not be there, such as prefix:zeb of JP/,
    ofSlice("does not come after the node before it"),
  ],
  [
    "a prefix that few rows have",
    term("JP", "prefix:1", (own) => [own, { term: "prefix:2", numbers: [1, 2] }]),
    /should not be there, such as prefix:2 of JP/,
    ofSlice("does not come after the node before it"),
  ],
  ["a node with another start", node(() => ({ start: 3 })), ofSlice("start expected 0, got 3")],
  [
    "a node that counts another row",
    node(({ rows }) => ({ rows: Number(rows) + 1 })),
    ofSlice("rows expected \\d+, got \\d+"),
  ],
  [
    "a node with another first term",
    node(() => ({ first_term: "category:dog" })),
    ofSlice('first_term expected "category:hotel", got "category:dog"'),
  ],
  [
    "a node with another last term",
    node(() => ({ last_term: "category:zoo" })),
    ofSlice('last_term expected "category:museum", got "category:zoo"'),
  ],
  ["a node with another box", node(() => ({ bbox: [0, 0, 1, 1] })), ofSlice("bbox of its country expected")],
  [
    "a collection without the run",
    {
      collection: (own) => ({
        ...own,
        runs: {
          location: own.runs.location,
          records: own.runs.records,
          ids: own.runs.ids,
          ...(own.runs.find ? { find: own.runs.find } : {}),
        },
      }),
    },
    /^manifest.json: place has no (term|count_\w+) run$/,
    /^place\/_(term|count_\w+|pages)\/\w+\.pack: no index names it$/,
  ],
];

test.each(MUTATIONS.map((mutation) => [mutation[0], mutation] as const))("%s", async (_, mutation) => {
  await expectFaults(await newFolder(), ["place"], mutation);
});

test("names of all countries without a row, or with an extra term", async () => {
  const change: Change = {
    terms: (slices, at) =>
      only({ ...at }, { country: ALL_COUNTRIES }, slices, (own) =>
        own.map((slice) => [
          ...slice.map((each) =>
            each.term === "name:monaco" ? { ...each, numbers: Array.from(each.numbers).slice(1) } : each,
          ),
          ...(slice.length > 0 ? [{ term: "source:x", numbers: [0] }] : []),
        ]),
      ),
  };
  await expectFaults(
    await newFolder(),
    ["division_area"],
    [
      "",
      change,
      /^division_area: 1 terms have not the rows that they should, such as name:monaco of \*: 1 rows, expected 2$/,
      /^division_area: 1 terms of the term run should not be there, such as source:x of \*/,
    ],
  );
  expect(MUTATIONS.length).toBeGreaterThan(15);
});
