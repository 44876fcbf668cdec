/**
 * Invalid requests: all faults at once, unknown parameters, incomplete locations, and malicious texts.
 * @module
 */
import { type Check, check } from "../check.ts";
import { expectError } from "../error-shape.ts";
import { expect } from "../expect.ts";
import type { Oracle } from "../oracle.ts";
import { COMMON_PARAMETERS, COUNT_PATHS, SEARCH_PATHS, type SearchPath, titleOf } from "../paths.ts";

/** Makes the checks of invalid requests. */
export function faultChecks(_oracle: Oracle): Check[] {
  return [
    ...SEARCH_PATHS.flatMap((path) => [
      allAtOnceCheck(path),
      ...unknownChecks(path),
      ...locationChecks(path),
      injectionCheck(path.path, [...COMMON_PARAMETERS, ...path.own]),
    ]),
    ...COUNT_PATHS.map((path) =>
      check(`${titleOf(path)}: an unknown parameter is a 400 that names it and the nearest`, async ({ client }) => {
        const lines = expectError(await client.get(path, { countri: "MC" }), 400);
        expectNames(lines, "countri", "country");
      }),
    ),
    ...COUNT_PATHS.map((path) =>
      check(`${titleOf(path)}: values out of bounds are 400s, all listed at once`, async ({ client }) => {
        const faulty = { lat: "91", lng: "181", radius: "0", limit: "25001", page: "-1", country: "MCO" };
        const lines = expectError(await client.get(path, faulty), 400);
        expect.equal("faults", lines.length, Object.keys(faulty).length, lines.join("; "));
        for (const [name, value] of Object.entries(faulty))
          expect.true(
            "message",
            lines.some((line) => line.includes(name) && line.includes(value)),
            lines,
            name,
          );
      }),
    ),
  ];
}

function allAtOnceCheck({ path }: SearchPath): Check {
  return check(`${titleOf(path)}: all faults of a request are listed at once`, async ({ client }) => {
    const faulty = { lat: "91", lng: "x", radius: "0", limit: "25001", page: "-1", format: "xml", nonsense: "1" };
    const lines = expectError(await client.get(path, faulty), 400);
    expect.equal("faults", lines.length, Object.keys(faulty).length, lines.join("; "));
    for (const [name, value] of Object.entries(faulty)) {
      const isNamed = lines.some((line) => line.includes(name) && line.includes(name === "nonsense" ? name : value));
      expect.true("message", isNamed, lines, `${name} and ${value}`);
    }
  });
}

const NEAR_MISSES: readonly (readonly [sent: string, nearest: string])[] = [
  ["limitt", "limit"],
  ["lattitude", "lat"],
  ["raduis", "radius"],
  ["contry", "country"],
  ["Limit", "limit"],
];

function unknownChecks({ path, choices }: SearchPath): Check[] {
  const title = titleOf(path);
  const foreign = choices ? "has_contact" : "types";
  return [
    check(`${title}: an unknown parameter is a 400 that names it and the nearest`, async ({ client }) => {
      for (const sent of ["", "__proto__", "names[]"]) {
        const lines = expectError(
          await client.get(path, [
            ["country", "MC"],
            [sent, "1"],
          ]),
          400,
        );
        expect.true("message", lines.length === 1 && (lines[0] ?? "").includes(`"${sent}"`), lines, sent);
      }
      for (const [sent, nearest] of NEAR_MISSES) {
        const answer = await client.get(path, { country: "MC", [sent]: "1" });
        expectNames(expectError(answer, 400), sent, nearest);
      }
    }),
    check(`${title}: a parameter of other paths, ${foreign}, is a 400`, async ({ client }) => {
      const lines = expectError(await client.get(path, { country: "MC", [foreign]: "phone" }), 400);
      expect.true(
        "message",
        lines.some((line) => line.includes(foreign)),
        lines,
        foreign,
      );
    }),
  ];
}

function expectNames(lines: readonly string[], sent: string, nearest: string): void {
  const words = lines.flatMap((line) => line.match(/\w+/g) ?? []);
  expect.true("message", words.includes(sent) && words.includes(nearest), lines, `${sent} and ${nearest}`);
}

function locationChecks({ path, own }: SearchPath): Check[] {
  const title = titleOf(path);
  const instead = own.includes("bbox") ? [{ name: "monaco" }, { bbox: "7,43,8,44" }] : [];
  return [
    check(`${title}: a location or a country is required`, async ({ client }) => {
      const lines = expectError(await client.get(path), 400);
      const isNamed = ["lat", "lng", "country"].every((name) => lines.some((line) => line.includes(name)));
      expect.true("message", isNamed, lines, "lat, lng and country");
      for (const query of [{ limit: "5" }, { radius: "5" }]) expectError(await client.get(path, query), 400);
    }),
    check(`${title}: lat without lng, or lng without lat, is a 400 naming both`, async ({ client }) => {
      for (const query of [{ lat: "1" }, { lng: "1" }, { lat: "0" }, { lat: "1", country: "MC" }]) {
        const lines = expectError(await client.get(path, query), 400);
        const isNamed = ["lat", "lng"].every((name) => lines.some((line) => line.includes(name)));
        expect.true("message", isNamed, lines, "lat and lng");
      }
    }),
    check(`${title}: 0 is a value like any other`, async ({ client }) => {
      for (const query of [
        { lat: "0", lng: "0" },
        { lat: "0", lng: "7" },
        { lat: "43", lng: "0" },
      ])
        expect.equal("status", (await client.get(path, { ...query, radius: "1" })).status, 200);
    }),
    ...instead.map((query) =>
      check(`${title}: ${Object.keys(query).join()} replaces a location`, async ({ client }) => {
        const answer = await client.get(path, { ...query, limit: "1" });
        expect.equal("status", answer.status, 200, answer.text);
      }),
    ),
  ];
}

const HARMFUL = [
  "'; DROP TABLE place; --",
  '" OR 1=1 --',
  "<script>alert(1)</script>",
  "x\r\nSet-Cookie: harm=1",
  "\u0000",
  "%",
  "\ud83d\ude00",
  "__proto__",
  "../../etc/passwd",
  "9".repeat(400),
];

function injectionCheck(path: string, names: readonly string[]): Check {
  return check(
    `${titleOf(path)}: SQL, HTML and header injection have no effect in any parameter`,
    async ({ client }) => {
      for (const [i, name] of names.entries()) {
        const values = [
          HARMFUL[i % HARMFUL.length],
          HARMFUL[(i + 3) % HARMFUL.length],
          HARMFUL[(i + 7) % HARMFUL.length],
        ];
        for (const value of values) {
          const answer = await client.get(path, { limit: "1", country: "MC", [name]: value ?? "" });
          const { status, headers, request } = answer;
          const refused = name === "release" ? 409 : 400;
          expect.true(`${request}: status`, status === 200 || status === refused, status, `200 or ${refused}`);
          if (status === refused) expectError(answer, refused);
          const isHtml = (headers.get("Content-Type") ?? "").includes("html");
          expect.true(`${request}: headers`, !isHtml && !headers.has("Set-Cookie"), [...headers.keys()], "no harm");
        }
      }
    },
  );
}
