/**
 * Methods and paths: GET and HEAD everywhere, others refused, unknown paths not found.
 * @module
 */
import { type Check, check } from "../check.ts";
import { jsonOf } from "../client.ts";
import { expectError } from "../error-shape.ts";
import { expect, NotApplicable } from "../expect.ts";
import type { Oracle } from "../oracle.ts";
import { COUNT_PATHS, PAGING_HEADERS, SEARCH_PATHS, titleOf } from "../paths.ts";

const ALL_PATHS = [...SEARCH_PATHS.map(({ path }) => path), ...COUNT_PATHS, "/", "/openapi.json", "/docs"];
const QUERY = "?country=MC&limit=2";
const withQuery = (path: string): string => (SEARCH_PATHS.some((known) => known.path === path) ? path + QUERY : path);

/** Makes the checks of methods. */
export function methodChecks(_oracle: Oracle): Check[] {
  return [
    ...ALL_PATHS.flatMap((path) => [headCheck(path), notAllowedCheck(path)]),
    ...SEARCH_PATHS.map(({ path }) => notAllowedCheck(`${path}/some-id`)),
    ...["/nowhere", "/places/brands/x/y", "/placess", "/places%2Fbuildings", "/%3Cscript%3E"].map(unknownPathCheck),
  ];
}

function headCheck(path: string): Check {
  return check(`${titleOf(path)}: HEAD answers as GET, without a body`, async ({ client, key, transport }) => {
    if (path === "/" && transport === "service-worker") throw new NotApplicable("the page is here");
    const headers = key === undefined ? {} : { "x-api-key": key };
    const get = await client.raw(withQuery(path), { headers });
    const head = await client.raw(withQuery(path), { method: "HEAD", headers });
    expect.equal("status of GET", get.status, 200, get.text);
    expect.equal("status", head.status, 200);
    expect.equal("body", head.text, "");
    for (const name of ["Content-Type", "ETag", "Link", ...PAGING_HEADERS])
      expect.equal(name, head.headers.get(name), get.headers.get(name));
  });
}

function notAllowedCheck(path: string): Check {
  return check(`${titleOf(path)}: other methods are 405 with Allow`, async ({ client, key, transport }) => {
    if (transport === "service-worker") throw new NotApplicable("only GET and HEAD reach a service worker's paths");
    for (const method of ["POST", "PUT", "PATCH", "DELETE"]) {
      const headers = key === undefined ? {} : { "x-api-key": key };
      const answer = await client.raw(withQuery(path), { method, headers });
      expectError(answer, 405);
      const allow = (answer.headers.get("Allow") ?? "").split(",").map((name) => name.trim());
      expect.true(`${method}: Allow`, allow.includes("GET") && allow.includes("HEAD"), allow, "GET, HEAD, OPTIONS");
    }
  });
}

function unknownPathCheck(path: string): Check {
  return check(`${path}: an unknown path is a 404`, async ({ client, transport }) => {
    if (transport === "service-worker") throw new NotApplicable("unknown paths are the host's");
    const answer = await client.get(path);
    expectError(answer, 404);
    jsonOf(answer);
  });
}
