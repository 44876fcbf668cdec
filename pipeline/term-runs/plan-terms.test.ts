import { expect, test } from "vitest";
import { type CountryTerms, planTermRun as planCountries } from "./plan-terms.ts";

interface TermCount {
  readonly country: string;
  readonly term: string;
  readonly rows: number;
  readonly full: number;
  readonly parts?: readonly number[] | undefined;
}

const count = (country: string, term: string, rows: number, parts?: readonly number[]): TermCount => ({
  country,
  term,
  rows,
  full: rows,
  parts,
});

/** The plan of these counts. */
function planTermRun(counts: readonly TermCount[], target: number) {
  const countries = [...new Set(counts.map(({ country }) => country))].map((country): CountryTerms => {
    const mine = counts.filter((one) => one.country === country);
    return {
      country,
      terms: mine.map(({ term }) => term),
      rows: mine.map(({ rows }) => rows),
      full: mine.map(({ full }) => full),
      parts: new Map(mine.flatMap(({ parts }, place) => (parts ? [[place, parts] as const] : []))),
    };
  });
  return planCountries(countries, target);
}

/** Terms with one to nine rows each. */
const many = Array.from({ length: 5000 }, (_, i) =>
  count(i < 2000 ? "DE" : "FR", `name:${String(i).padStart(4, "0")}`, 1 + ((i * 7919) % 9)),
);

const cutsOf = (counts: readonly TermCount[]) =>
  planTermRun(counts, 100).map(({ country, firstTerm, lastTerm }) => `${country} ${firstTerm} ${lastTerm}`);

test("partitions are whole and in order, fit, and hold whole terms of one country", () => {
  const planned = planTermRun(many, 100);
  let at = 0;
  for (const { country, start, end, firstTerm, lastTerm, startInTerm } of planned) {
    expect([start, startInTerm]).toEqual([at, 0]);
    expect(end - start).toBeLessThanOrEqual(100);
    const members = many.filter(({ term }) => term >= firstTerm && term <= lastTerm);
    expect(members.reduce((sum, { rows }) => sum + rows, 0)).toBe(end - start);
    expect(new Set(members.map((member) => member.country))).toEqual(new Set([country]));
    at = end;
  }
  expect(at).toBe(many.reduce((sum, { rows }) => sum + rows, 0));
  expect(planned.length).toBeLessThan(at / 50);
});

test("a term that fits no partition has its own, cut as it says, else evenly", () => {
  const counts = [count("DE", "name:a", 5), count("DE", "name:b", 25, [9, 10, 6]), count("DE", "name:c", 21)];
  expect(planTermRun(counts, 10).map(({ start, end, startInTerm }) => [start, end, startInTerm])).toEqual([
    [0, 5, 0],
    [5, 14, 0],
    [14, 24, 9],
    [24, 30, 19],
    [30, 37, 0],
    [37, 44, 7],
    [44, 51, 14],
  ]);
});

test("a partition is light when all its rows are", () => {
  const light = (term: string, rows: number): TermCount => ({ country: "DE", term, rows, full: 0 });
  const counts = [light("name:a", 40), light("name:b", 200), count("DE", "name:c", 3), light("name:d", 40)];
  expect(planTermRun(counts, 10).map(({ start, end, isLight }) => [start, end, isLight])).toEqual([
    [0, 40, true],
    [40, 106, true],
    [106, 173, true],
    [173, 240, true],
    [240, 283, false],
  ]);
});

test("a row more or less leaves nearly all cuts as they are", () => {
  const before = new Set(cutsOf(many));
  let changed = 0;
  const tried = 200;
  for (let i = 0; i < tried; i++) {
    const place = (i * 24) % many.length;
    const more = many.map((one, at) => (at === place ? count(one.country, one.term, one.rows + 1) : one));
    changed += cutsOf(more).filter((cut) => !before.has(cut)).length;
  }
  expect(changed / tried).toBeLessThan(1);
});
