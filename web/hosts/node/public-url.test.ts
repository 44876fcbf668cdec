import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parsePublicUrl } from "./public-url.ts";
import { startTestHost, type TestHost, type TestHostOptions } from "./testing/host.ts";

const FORWARDED = {
  "X-Forwarded-Proto": "https",
  "X-Forwarded-Host": "maps.example",
  "X-Forwarded-Prefix": "/maps",
};

/** Every URL of the host in answers to requests with these headers. Those of the landing page are by path. */
async function addressesOf(host: TestHost, headers: Readonly<Record<string, string>>) {
  const [page, start, docs, document] = await Promise.all(
    ["/places?country=MC&limit=1&page=1", "/", "/docs", "/openapi.json"].map((path) => host.get(path, headers)),
  );
  const links = JSON.parse(String(start?.body)).links as Record<string, string>;
  return {
    next: /<([^>]*)>; rel="next"/.exec(String(page?.headers.link))?.[1],
    counts: links["/places/brands"],
    openapi: links.openapi,
    docs: docs?.headers.location,
    server: JSON.parse(String(document?.body)).servers[0].url,
  };
}

const RELATIVE = {
  next: "?country=MC&limit=1&page=2&release=made-up",
  counts: "./places/brands",
  openapi: "./openapi.json",
  docs: "./docs/",
  server: ".",
};
const below = (base: string) => ({
  next: `${base}places?country=MC&limit=1&page=2&release=made-up`,
  counts: `${base}places/brands`,
  openapi: `${base}openapi.json`,
  docs: `${base}docs/`,
  server: base.replace(/\/$/, ""),
});

describe.each<[string, TestHostOptions, readonly [headers: Record<string, string>, expected: object][]]>([
  [
    "without a known address links are relative",
    {},
    [
      [{}, RELATIVE],
      [{ Host: "evil.example" }, RELATIVE],
      [FORWARDED, RELATIVE],
    ],
  ],
  [
    "a proxy sets it",
    { trustProxy: true },
    [
      [FORWARDED, below("https://maps.example/maps/")],
      [{ ...FORWARDED, "X-Forwarded-Prefix": "/maps/" }, below("https://maps.example/maps/")],
      [{ "X-Forwarded-Host": "maps.example:8443", "X-Forwarded-Proto": "https" }, below("https://maps.example:8443/")],
      [{ "X-Forwarded-Host": "[2001:db8::1]" }, below("http://[2001:db8::1]/")],
      // each proxy appends its own; the first may be the caller's
      [{ ...FORWARDED, "X-Forwarded-Host": "evil.example, maps.example" }, below("https://maps.example/maps/")],
      [{ Host: "evil.example" }, RELATIVE],
      [{ "X-Forwarded-Prefix": "/maps" }, RELATIVE],
      ...["evil.example/path", "user@evil.example", "a b", "evil.example?x", "h:99999", ""].map(
        (host) => [{ ...FORWARDED, "X-Forwarded-Host": host }, RELATIVE] as [Record<string, string>, object],
      ),
      [{ ...FORWARDED, "X-Forwarded-Proto": "javascript" }, RELATIVE],
      [{ ...FORWARDED, "X-Forwarded-Prefix": "//evil.example" }, RELATIVE],
      [{ ...FORWARDED, "X-Forwarded-Prefix": "/a/../b" }, RELATIVE],
      [{ ...FORWARDED, "X-Forwarded-Prefix": '/"><script>' }, RELATIVE],
    ],
  ],
  [
    "an option sets it: headers are ignored",
    { publicUrl: "https://cairn.example/my%20maps", trustProxy: true },
    [
      [{}, below("https://cairn.example/my%20maps/")],
      [{ Host: "evil.example", ...FORWARDED }, below("https://cairn.example/my%20maps/")],
    ],
  ],
])("%s", (_, options, cases) => {
  let host: TestHost;
  beforeAll(async () => {
    // an allowed Host is still in no link
    host = await startTestHost({ places: 5, origins: ["http://evil.example"], ...options });
  });
  afterAll(() => host.close());

  test.each(cases)("%j", async (headers, expected) => {
    expect(await addressesOf(host, headers)).toEqual(expected);
  });
});

describe("below /ogc", () => {
  let host: TestHost;
  beforeAll(async () => {
    const names = ["evil.example", "localhost.evil.example", "127.0.0.1.evil.example"];
    host = await startTestHost({ origins: names.map((name) => `http://${name}`) });
  });
  afterAll(() => host.close());
  const selfOf = async (headers: Readonly<Record<string, string>>) => {
    const { body } = await host.get("/ogc/collections/place/items?limit=1", headers);
    return JSON.parse(String(body)).links[0].href;
  };
  const path = "ogc/collections/place/items?limit=1";

  test.each(["127.0.0.1:8080", "localhost", "LOCALHOST:80", "127.1.2.3", "[::1]:8080"])(
    "links are absolute where the caller asks %s",
    async (Host) => expect(await selfOf({ Host })).toBe(`${new URL(`http://${Host}`).href}${path}`),
  );

  test.each<Record<string, string>>([
    { Host: "evil.example" },
    { Host: "localhost.evil.example" },
    { Host: "127.0.0.1.evil.example" },
    { Host: "127.0.0.1:8080", "X-Forwarded-For": "192.0.2.1" },
    { Host: "127.0.0.1:8080", "X-Forwarded-Host": "maps.example" },
    { Host: "127.0.0.1:8080", Via: "1.1 proxy" },
  ])("links are relative where another machine may have asked: %j", async (headers) => {
    expect(await selfOf(headers)).toBe(`../../../${path}`);
  });
});

test.each([
  ["https://maps.example", "https://maps.example/"],
  ["http://127.0.0.1:8080/a/b", "http://127.0.0.1:8080/a/b/"],
  ["https://maps.example/maps/", "https://maps.example/maps/"],
])("--public-url %s", (text, expected) => {
  expect(parsePublicUrl(text)).toBe(expected);
});

test.each([
  "",
  "maps.example",
  "/maps",
  "ftp://maps.example/",
  "https://u:p@maps.example/",
  "https://h/?a",
  "https://h/#a",
])("--public-url %s is refused", (text) => {
  expect(() => parsePublicUrl(text)).toThrow(
    `the public URL must be an http: or https: URL without user, query and fragment, got ${JSON.stringify(text)}`,
  );
});
