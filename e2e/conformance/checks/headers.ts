/**
 * Headers of answers: CORS, ETag, content types, file names.
 * @module
 */
import { type Check, check } from "../check.ts";
import { countHeader } from "../client.ts";
import { expect, NotApplicable } from "../expect.ts";
import type { Oracle } from "../oracle.ts";
import { COUNT_PATHS, PAGING_HEADERS, SEARCH_PATHS, titleOf } from "../paths.ts";

const SOMEWHERE = { country: "MC", limit: "3" };
const CONTENT_TYPES = { json: "application/json", geojson: "application/geo+json", csv: "text/csv" } as const;

/** Makes the checks of headers. */
export function headerChecks(_oracle: Oracle): Check[] {
  return SEARCH_PATHS.flatMap(({ path }) => [
    ...Object.entries(CONTENT_TYPES).flatMap(([format, type]) => formatChecks(path, format, type)),
    corsCheck(path),
    etagCheck(path),
    preflightCheck(path),
  ]).concat(...COUNT_PATHS.map((path) => [corsCheck(path), preflightCheck(path)]));
}

function formatChecks(path: string, format: string, type: string): Check[] {
  const title = `${titleOf(path)} format=${format}`;
  return [
    check(`${title}: content type is ${type}; charset=utf-8`, async ({ client }) => {
      const { headers } = await client.get(path, { ...SOMEWHERE, format });
      const [mediaType, parameter] = (headers.get("Content-Type") ?? "").toLowerCase().split(/\s*;\s*/);
      expect.equal("media type", mediaType, type);
      expect.equal("charset", parameter, "charset=utf-8");
    }),
    check(`${title}: the four paging headers`, async ({ client }) => {
      const answer = await client.get(path, { ...SOMEWHERE, format });
      const json = await client.get(path, SOMEWHERE);
      for (const name of PAGING_HEADERS) expect.equal(name, countHeader(answer, name), countHeader(json, name));
    }),
    ...(format === "json"
      ? []
      : [
          check(`${title}: Content-Disposition names a file`, async ({ client }) => {
            const { headers } = await client.get(path, { ...SOMEWHERE, format });
            const disposition = headers.get("Content-Disposition") ?? "";
            const isNamed = /filename\*?="?[^";]+\.(csv|geojson|json)"?/i.test(disposition);
            expect.true("Content-Disposition", isNamed, disposition, "a file name");
          }),
        ]),
  ];
}

const namesIn = (list: string | null): string[] => (list ?? "").split(",").map((name) => name.trim().toLowerCase());

function corsCheck(path: string): Check {
  return check(`${titleOf(path)}: every origin may read it and its paging headers`, async ({ client }) => {
    const { headers } = await client.get(path, SOMEWHERE, { headers: { Origin: "https://elsewhere.example" } });
    expect.equal("Access-Control-Allow-Origin", headers.get("Access-Control-Allow-Origin"), "*");
    const exposed = namesIn(headers.get("Access-Control-Expose-Headers"));
    for (const name of PAGING_HEADERS)
      expect.true("Access-Control-Expose-Headers", exposed.includes(name.toLowerCase()), exposed, name);
  });
}

function preflightCheck(path: string): Check {
  return check(`${titleOf(path)}: preflight is answered without a key and allows x-api-key`, async (kit) => {
    if (kit.transport === "service-worker") throw new NotApplicable("a page of the same origin sends no preflight");
    const { status, headers } = await kit.client.raw(path, {
      method: "OPTIONS",
      headers: {
        Origin: "https://elsewhere.example",
        "Access-Control-Request-Method": "GET",
        "Access-Control-Request-Headers": "x-api-key",
      },
    });
    expect.true("status", status === 204 || status === 200, status, "204 or 200");
    expect.equal("Access-Control-Allow-Origin", headers.get("Access-Control-Allow-Origin"), "*");
    const allowed = namesIn(headers.get("Access-Control-Allow-Headers"));
    expect.true("Access-Control-Allow-Headers", allowed.includes("x-api-key"), allowed, "x-api-key");
    const methods = namesIn(headers.get("Access-Control-Allow-Methods"));
    expect.true("Access-Control-Allow-Methods", methods.includes("get"), methods, "GET");
  });
}

function etagCheck(path: string): Check {
  return check(`${titleOf(path)}: ETag depends on release and query; If-None-Match gives 304`, async ({ client }) => {
    const first = await client.get(path, SOMEWHERE);
    const tag = first.headers.get("ETag") ?? "";
    expect.true("ETag", /^(W\/)?"[^"]*"$/.test(tag), tag, "an entity tag");
    expect.equal("ETag of the same query", (await client.get(path, SOMEWHERE)).headers.get("ETag"), tag);
    const others = [
      { ...SOMEWHERE, page: "1" },
      { ...SOMEWHERE, format: "csv" },
      { ...SOMEWHERE, country: "US" },
    ];
    for (const other of others) {
      const { headers } = await client.get(path, other);
      expect.true("ETag of another query", headers.get("ETag") !== tag, tag, "another tag");
    }
    for (const sent of [tag, `"other", ${tag}`, `W/${tag.replace(/^W\//, "")}`]) {
      const again = await client.get(path, SOMEWHERE, { headers: { "If-None-Match": sent } });
      expect.equal(`status for If-None-Match: ${sent}`, again.status, 304);
      expect.equal("body of the 304", again.text, "");
      expect.equal("ETag of the 304", again.headers.get("ETag"), tag);
    }
    const stale = await client.get(path, SOMEWHERE, { headers: { "If-None-Match": '"stale"' } });
    expect.equal("status for another tag", stale.status, 200);
  });
}
