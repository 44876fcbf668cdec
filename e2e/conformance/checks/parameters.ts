/**
 * Every parameter at, inside and just outside its bounds.
 * @module
 */
import { type Check, check } from "../check.ts";
import type { Query } from "../client.ts";
import { expectError } from "../error-shape.ts";
import { expect } from "../expect.ts";
import type { Oracle } from "../oracle.ts";
import { SEARCH_PATHS, type SearchPath, titleOf } from "../paths.ts";

interface Bounds {
  readonly name: string;
  readonly good: readonly string[];
  readonly bad: readonly string[];
  /** What the message must list as allowed. */
  readonly allowed: RegExp;
  /** Added to the request, unless it is the tested parameter. */
  readonly along?: Readonly<Record<string, string>>;
}

const HERE = { lat: "43.735", lng: "7.42" };
const COUNTRY = { country: "MC" };
const NOT_NUMBERS = ["", "abc", "NaN", "Infinity", "1,2", "0x10"];

const SHARED: readonly Bounds[] = [
  {
    name: "lat",
    good: ["-90", "90", "0", "-0", "43.735"],
    bad: ["-90.000001", "90.000001", "1e9", ...NOT_NUMBERS],
    allowed: /-90.*90/,
    along: { lng: "0" },
  },
  {
    name: "lng",
    good: ["-180", "180", "0", "-0", "7.42"],
    bad: ["-180.000001", "180.000001", "360", ...NOT_NUMBERS],
    allowed: /-180.*180/,
    along: { lat: "0" },
  },
  {
    name: "radius",
    good: ["1", "1.5", "1000", "40000000", "1000000000"],
    bad: ["0.999", "0", "-1", ...NOT_NUMBERS],
    allowed: /\b1\b/,
    along: { ...HERE, limit: "1" },
  },
  {
    name: "limit",
    good: ["1", "2", "25000"],
    bad: ["0", "25001", "-1", "1.5", "1000000", ...NOT_NUMBERS],
    allowed: /1\b.*25[ ,_.']?000/,
    along: { ...HERE, radius: "1" },
  },
  {
    name: "page",
    good: ["0", "1", "1000000000"],
    bad: ["-1", "0.5", ...NOT_NUMBERS],
    allowed: /\b0\b/,
    along: { ...HERE, radius: "1" },
  },
  { name: "format", good: ["json", "csv", "geojson"], bad: ["", "xml", "json,csv"], allowed: /json.*csv.*geojson/ },
  { name: "country", good: ["MC", "mc", "QZ"], bad: ["", "M", "MCO", "12", "M C"], allowed: /alpha-2|two/i },
  { name: "includes", good: ["names", "names,version", "nonsense"], bad: [], allowed: /./ },
];

const OWN: readonly Bounds[] = [
  { name: "name", good: ["mo", "東", "か", "서", "monaco"], bad: ["", "a", "!", " ", "é"], allowed: /2/ },
  { name: "categories", good: ["cafe", "cafe,bar", "nonsense"], bad: [""], allowed: /./ },
  { name: "taxonomy", good: ["eat_and_drink", "a,b"], bad: [""], allowed: /./ },
  { name: "brand_name", good: ["Starbucks", "nobody"], bad: [""], allowed: /./ },
  { name: "brand_wikidata", good: ["Q37158", "Q1"], bad: [""], allowed: /./ },
  { name: "min_confidence", good: ["0", "1", "0.5"], bad: ["-0.01", "1.01", ...NOT_NUMBERS], allowed: /0.*1/ },
  {
    name: "operating_status",
    good: ["open", "temporarily_closed", "permanently_closed"],
    bad: ["", "shut"],
    allowed: /open/,
  },
  { name: "source", good: ["meta", "nobody"], bad: [""], allowed: /./ },
  {
    name: "has_contact",
    good: ["website", "phone", "email", "social", "website,phone"],
    bad: ["", "fax", "website,fax"],
    allowed: /website.*phone.*email.*social/,
  },
  { name: "enrichment_fields", good: ["brand", "brand,nonsense"], bad: [], allowed: /./ },
  { name: "subtype", good: ["country", "nonsense"], bad: [""], allowed: /./ },
  { name: "class", good: ["residential", "nonsense"], bad: [""], allowed: /./ },
  { name: "min_height", good: ["0", "12.5"], bad: ["-1", "10001", ...NOT_NUMBERS], allowed: /0.*10000/ },
  { name: "max_height", good: ["0", "12.5"], bad: ["-1", "10001", ...NOT_NUMBERS], allowed: /0.*10000/ },
  { name: "max_floors", good: ["0", "3"], bad: ["-1", "1001", ...NOT_NUMBERS], allowed: /0.*1000/ },
  { name: "min_floors", good: ["0", "3"], bad: ["-1", "1001", ...NOT_NUMBERS], allowed: /0.*1000/ },
  { name: "include_unknown", good: [], bad: ["", "name", "class"], allowed: /min_/ },
  { name: "surface", good: ["gravel", "paved,nonsense"], bad: [""], allowed: /./ },
  { name: "speed_limit", good: ["50kmh", "25mph,50kmh"], bad: [""], allowed: /./ },
  { name: "admin_level", good: ["0", "1", "1,2"], bad: ["", "x", "1.5"], allowed: /integer|number/ },
  {
    name: "bbox",
    good: ["7,43,8,44", "170,-20,-170,0", "-180,-90,180,90", "0,0,0,0"],
    bad: ["", "7,43,8", "7,43,8,44,45", "7,44,8,43", "7,43,8,91", "181,43,8,44", "a,b,c,d"],
    allowed: /xmin.*ymin.*xmax.*ymax/,
  },
  { name: "include_geometry", good: ["true", "false"], bad: ["", "maybe"], allowed: /true.*false/ },
];

/** Makes the checks of parameters. */
export function parameterChecks(_oracle: Oracle): Check[] {
  return SEARCH_PATHS.flatMap((path) =>
    [...SHARED, ...OWN.filter(({ name }) => path.own.includes(name)), ...typesBounds(path)].flatMap((bounds) => [
      ...(bounds.good.length > 0 ? [goodCheck(path, bounds)] : []),
      ...bounds.bad.map((value) => badCheck(path, bounds, value)),
      ...(["includes", "include_unknown", "enrichment_fields"].includes(bounds.name)
        ? []
        : [repeatCheck(path, bounds)]),
    ]),
  );
}

function typesBounds({ choices }: SearchPath): Bounds[] {
  if (!choices) return [];
  const allowed = new RegExp(choices.join(".*"));
  return [{ name: "types", good: [...choices, choices.join(",")], bad: ["", "place", "building,place"], allowed }];
}

const queryOf = ({ name, along = COUNTRY }: Bounds, value: string) => ({ limit: "1", ...along, [name]: value });

function goodCheck({ path }: SearchPath, bounds: Bounds): Check {
  const { name, good } = bounds;
  return check(`${titleOf(path)}: ${name} may be ${good.join(" or ")}`, async ({ client }) => {
    for (const value of good) {
      const { status, text, request } = await client.get(path, queryOf(bounds, value));
      expect.equal(`${request}: status`, status, 200, text);
    }
  });
}

function badCheck({ path }: SearchPath, bounds: Bounds, value: string): Check {
  const { name, allowed } = bounds;
  const shown = value.trim() === "" ? `"${value}"` : value;
  const title = `${titleOf(path)}: ${name} ${shown} is a 400 naming ${name}, what came and what is allowed`;
  return check(title, async ({ client }) => {
    const lines = expectError(await client.get(path, queryOf(bounds, value)), 400);
    expect.equal("faults", lines.length, 1, lines.join("; "));
    const [line = ""] = lines;
    expect.true("message", line.includes(name), line, name);
    expect.true("message", line.includes(value), line, `what came, ${value}`);
    expect.true("message", allowed.test(line), line, `what is allowed, ${allowed.source}`);
  });
}

function repeatCheck({ path }: SearchPath, bounds: Bounds): Check {
  const { name, good } = bounds;
  const isList = [
    "types",
    "operating_status",
    "categories",
    "taxonomy",
    "has_contact",
    "subtype",
    "class",
    "surface",
    "speed_limit",
    "admin_level",
  ].includes(name);
  const status = isList ? "200 or 400" : "400";
  return check(`${titleOf(path)}: a repeated ${name} is a ${status}`, async ({ client }) => {
    const [first = "", second = first] = good;
    const others = Object.entries(queryOf(bounds, first)).filter(([other]) => other !== name);
    const query: Query = [...others, [name, first], [name, second]];
    const answer = await client.get(path, query);
    if (isList && answer.status === 200) return;
    const lines = expectError(answer, 400);
    expect.true(
      "message",
      lines.some((line) => line.includes(name)),
      lines,
      name,
    );
  });
}
