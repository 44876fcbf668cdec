/**
 * Pages: defaults, bounds, disjoint and complete, beyond the end, and links.
 * @module
 */
import { type Check, check } from "../check.ts";
import { type Answer, type Client, countHeader, itemsOf } from "../client.ts";
import { expectError } from "../error-shape.ts";
import { expect } from "../expect.ts";
import { parseLinks } from "../links.ts";
import type { Oracle } from "../oracle.ts";
import { DEFAULT_LIMIT, SEARCH_PATHS, titleOf } from "../paths.ts";

/** Has results on every path of the sample. */
const SOMEWHERE = { country: "MC", includes: "type" };
const PAST_THE_END = "999999";

/** Makes the checks of pages. */
export function pagingChecks(_oracle: Oracle): Check[] {
  return SEARCH_PATHS.flatMap(({ path }) => {
    const title = titleOf(path);
    return [
      check(`${title}: the default of page is 0 and of limit ${DEFAULT_LIMIT}`, async ({ client }) => {
        const bare = await client.get(path, SOMEWHERE);
        const full = await client.get(path, { ...SOMEWHERE, page: "0", limit: String(DEFAULT_LIMIT) });
        expect.equal("Pagination-Page", countHeader(bare, "Pagination-Page"), 0);
        expect.equal("Pagination-Limit", countHeader(bare, "Pagination-Limit"), DEFAULT_LIMIT);
        expect.true("records", itemsOf(bare).length <= DEFAULT_LIMIT, itemsOf(bare).length, "1000 at most");
        expect.equal("body", bare.text, full.text);
      }),
      check(`${title}: X-Total-Count is the number of records, Pagination-* the requested page`, async ({ client }) => {
        const answer = await client.get(path, { ...SOMEWHERE, page: "1", limit: "7" });
        expect.equal("X-Total-Count", countHeader(answer, "X-Total-Count"), itemsOf(answer).length);
        expect.equal("Pagination-Page", countHeader(answer, "Pagination-Page"), 1);
        expect.equal("Pagination-Limit", countHeader(answer, "Pagination-Limit"), 7);
      }),
      check(`${title}: pages are disjoint and complete, by country`, async ({ client }) =>
        walkPages(client, path, SOMEWHERE),
      ),
      check(`${title}: pages are disjoint and complete, by distance`, async ({ client }) =>
        walkPages(client, path, { lat: "43.735", lng: "7.421", radius: "900", includes: "type" }),
      ),
      check(`${title}: a page past the end is empty with the true count`, async ({ client }) => {
        const first = await client.get(path, { ...SOMEWHERE, limit: "5" });
        const past = await client.get(path, { ...SOMEWHERE, limit: "5", page: PAST_THE_END });
        expect.equal("records", itemsOf(past).length, 0);
        expect.equal("X-Total-Count", countHeader(past, "X-Total-Count"), 0);
        expect.equal("Pagination-Page", past.headers.get("Pagination-Page"), PAST_THE_END);
        const count = countHeader(first, "Pagination-Count");
        expect.equal("Pagination-Count", countHeader(past, "Pagination-Count"), count);
      }),
      check(
        `${title}: the links to further pages name the release, and another release is a 409`,
        async ({ client }) => {
          const first = await client.get(path, { ...SOMEWHERE, limit: "1", page: "1" });
          const links = parseLinks(first);
          expect.equal("release of the first page", links.get("first")?.searchParams.get("release") ?? "none", "none");
          const release = links.get("last")?.searchParams.get("release") ?? "none";
          const same = await client.get(path, { ...SOMEWHERE, limit: "1", page: "1", release });
          expect.equal("body", same.text, first.text);
          const other = `${release}-other`;
          const lines = expectError(await client.get(path, { ...SOMEWHERE, release: other }), 409);
          const isNamed =
            lines.length === 1 && [release, other].every((name) => lines[0]?.includes(JSON.stringify(name)));
          expect.true("message", isNamed, lines, `${release} and ${other}`);
        },
      ),
      check(`${title}: Link leads to first, prev, next and last page (RFC 8288)`, async ({ client }) =>
        followLinks(client, path),
      ),
    ];
  });
}

async function walkPages(client: Client, path: string, query: Readonly<Record<string, string>>): Promise<void> {
  const whole = itemsOf(await client.get(path, { ...query, limit: "25000" })).map(({ id }) => id);
  const limit = Math.max(1, Math.ceil(whole.length / 4));
  const ids: string[] = [];
  for (let page = 0; page * limit < whole.length + limit; page++) {
    const answer = await client.get(path, { ...query, limit: String(limit), page: String(page) });
    ids.push(...itemsOf(answer).map(({ id }) => id));
    expect.equal(`${answer.request}: Pagination-Count`, countHeader(answer, "Pagination-Count"), whole.length);
  }
  expect.equal("different ids", new Set(ids).size, whole.length);
  expect.equal("ids of all pages", ids.join(), whole.join());
}

async function followLinks(client: Client, path: string): Promise<void> {
  const query = { ...SOMEWHERE, limit: "3" };
  const first = await client.get(path, query);
  const last = Math.max(0, Math.ceil(countHeader(first, "Pagination-Count") / 3) - 1);
  const pages = (answer: Answer) =>
    Object.fromEntries(Array.from(parseLinks(answer), ([rel, url]) => [rel, url.searchParams.get("page") ?? "0"]));
  const middle = await client.get(path, { ...query, page: "1" });
  if (last > 1) {
    expect.same("links of page 0", pages(first), { first: "0", next: "1", last: String(last) });
    expect.same("links of page 1", pages(middle), { first: "0", prev: "0", next: "2", last: String(last) });
  }
  const next = parseLinks(first).get("next");
  if (!next) return;
  expect.true("Link", next.pathname.endsWith(path), next.pathname, `a path that ends in ${path}`);
  expect.equal("body of next", (await client.get(path, [...next.searchParams])).text, middle.text);
  const end = await client.get(path, { ...query, page: String(last) });
  expect.true("links of the last page", !parseLinks(end).has("next"), end.headers.get("Link"), "no next");
}
