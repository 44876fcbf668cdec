import { Hono } from "hono";
import { expect, test } from "vitest";
import { pagingHeaders } from "./answer.ts";
import { makeLinks } from "./middleware.ts";

async function linkOf(path: string, addressAsked: (request: Request) => string | undefined): Promise<string> {
  const app = new Hono().use("*", makeLinks(addressAsked)).get("*", (c) => {
    const { searchParams: query } = new URL(c.req.url);
    const paging = { total: 9, length: 3, page: 1, limit: 3, release: "r 1" };
    return c.text(pagingHeaders(paging, { query, linkTo: c.var.linkTo }).Link ?? "");
  });
  return (await app.request(path)).text();
}

test("a link is the requested URL with another page and without the key", async () => {
  expect(await linkOf("http://h/maps/places?name=a%26b&api_key=open&page=1", ({ url }) => url)).toBe(
    [
      '<http://h/maps/places?name=a%26b&page=0>; rel="first"',
      '<http://h/maps/places?name=a%26b&page=0&release=r+1>; rel="prev"',
      '<http://h/maps/places?name=a%26b&page=2&release=r+1>; rel="next"',
      '<http://h/maps/places?name=a%26b&page=2&release=r+1>; rel="last"',
    ].join(", "),
  );
});

test("it is relative if that URL is unknown, and leads to the same page", async () => {
  const asked = "http://made-up.example/maps/places?name=a%26b&page=1";
  const link = await linkOf(asked, () => undefined);
  expect(link).not.toContain("made-up");
  const next = /<([^>]*)>; rel="next"/.exec(link)?.[1] ?? "none";
  expect(new URL(next, "https://maps.example/maps/places?x").href).toBe(
    "https://maps.example/maps/places?name=a%26b&page=2&release=r+1",
  );
});
