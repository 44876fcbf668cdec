/**
 * The REST reference as a page of text, from the OpenAPI document that the interface gives of itself.
 * @module
 */
import { createApi } from "../../web/api/index.ts";
import { openNodeDataset } from "../../web/hosts/node/open.ts";

export const REST_PAGE = "docs/rest.md";

interface Parameter {
  readonly name: string;
  readonly in: "query" | "path";
  readonly description?: string;
  readonly schema: Schema;
}

interface Schema {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly items?: Schema;
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly example?: unknown;
}

interface Operation {
  readonly summary?: string;
  readonly parameters?: readonly Parameter[];
  readonly responses: Readonly<
    Record<
      string,
      { readonly description: string; readonly headers?: Readonly<Record<string, { readonly description?: string }>> }
    >
  >;
}

interface OpenApi {
  readonly paths: Readonly<Record<string, { readonly get: Operation }>>;
}

/** What no document of the interface has a place for. Figures are of the sample; `e2e/clients/demo.test.ts` counts them. */
const IN_WORDS = `
## From words to places, and back

\`/autocomplete\` gives suggestions for a text as it is typed, \`/search\` the whole records of them, each with \`ext_match\`: \`exact\`, \`words\`, \`prefix\`,
\`category\`, \`part\`, \`near-number\` (a house near the one that is not there) or \`misspelt\`. Words may stand in any order; those that name a town narrow the others.
With \`language\` (\`lang\` of Photon) a text may use the names of categories in that language (*Apotheke*, *薬局*): \`en\`, \`fr\`, \`de\`, \`es\`, \`ja\`, \`ar\`,
\`it\`, \`pt\`, \`zh\` and \`hi\`. Without a language the English names count. A table has at most 18 KB compressed and is loaded with the first text in its language.
No word is dropped silently: \`unused\` of a suggestion, \`ext_unused\` of a record of \`/search\` and of a feature of \`/photon/api\`, has the words of the text that it does not use. For
\`Apotheke Monaco\` that is \`["Apotheke"]\` where the best suggestion is the country; it is empty where all words are used. Check it before you follow a suggestion: search for the rest by \`name\`, or show it.

\`/reverse\` gives the nearest address, street and place within \`radius\`, the divisions whose outlines hold the point, and one line of all that. Cold, in the sample, it reads 0.2 MB in
Monaco and 0.4 in Boulder; with divisions 0.8 and 1.5, since the outlines of France and of the United States have to be read.

\`/photon/api\`, \`/photon/reverse\` and \`/photon/status\` are those of [Photon](https://github.com/komoot/photon), for programs that take the address of one: give them \`<base URL>/photon\`, or the paths.
\`leaflet-control-geocoder\`, and \`geopy\` with the Node host, are tested unchanged; MapLibre's search box has [an adapter](embedding.md#a-search-box). Answers have no \`osm_id\`: \`id\` is the record's.

\`osm_tag\` takes a tag that has an equal in the data: a category of places (\`amenity:pharmacy\`, \`shop:bakery\`, \`tourism:hotel\`), a class of roads (\`highway:primary\`), a kind of divisions
(\`place:town\`), or \`highway\` and \`place\` alone. \`!\` before it leaves out what has the tag. A tag with no equal is a 400 that lists the values there are, and so are Photon's \`include\` and \`exclude\`.
\`zoom\`, \`location_bias_scale\`, \`dedupe\`, \`distance_sort\`, \`debug\` and \`geometry\` are accepted and change nothing.

A slash at the end of a path makes no difference; \`/docs/\` is a page.

## What changed

\`/changes\` compares a search in two releases, by id and content: \`since\` names one that the dataset [keeps](changes.md#an-older-release-kept). Each record that differs has \`change\` (\`added\`, \`removed\`, \`changed\`)
and \`columns\`, the names of those that differ. What moved out of the circle is \`removed\`, what moved in \`added\`: to and from here. [More](changes.md#asked-of-a-place).

## Pages of one release

The links to other pages contain \`release\`. While the dataset [keeps](changes.md#an-older-release-kept) that release, all pages come from it, also after a new release is published.
Otherwise the answer is a 409 that names the requested and the current release: start again with the first page. The first page has no \`release\`, so its list is of the current one.

## In an area

A search takes a polygon in place of a circle, or beside one: records whose geometry has a position in common with it. They come nearest to its
representative point first, then by id, with \`properties.ext_distance\`; with \`lat\` and \`lng\` distances are from there. Any number of records is counted and paged.

- \`within\` is the id of a division or of a division area, whose outline is the area.
- \`POST\` on a search path takes any area: a GeoJSON Polygon or MultiPolygon, or a Feature with one, as \`application/geo+json\`; all other
  parameters stand in the address. It has at most 8 MiB and 500,000 corners. Beyond that, and where a search needs more than 300 million comparisons with its edges, the answer is a 413. A body of another media type is a 415, a \`POST\` without one a 405. Edges are straight in longitude and latitude. Longitudes may run on beyond 180 or -180, so that a ring
  over the antimeridian stays whole.

## What the data does not have

| member | where the data has none |
|---|---|
| a property, \`categories\` and \`names\` too | left out; no property is null |
| a list | left out where it is null; one that is empty stays |
| \`sources[].property\`, \`.dataset\`, \`.record_id\` | \`""\`: 3,545 of the 7,882 sources of places name no record |
| \`brand\` | left out where nothing is known of it: 2,103 of 2,364 are written as a brand of which all is null |
| \`brand.names.primary\` | \`""\` where the brand has no name but a Wikidata item |
| any other member of an object | left out |
| \`geometry\` | always there; null with \`include_geometry=false\` alone |

The specification calls these members texts, which null is not; the public service has null for them, and its clients fail there.
\`id\` stands in \`properties\` once more, on every path, whatever \`includes\` keeps.

## Which country

\`country\` goes by what the record declares in \`properties.country\` on \`/addresses\` and \`/divisions\`. Elsewhere it goes by the
outline that holds the record, which stands in \`properties.ext_country\`; what an address of a place says in
\`addresses[].country\` does not count. In the sample the two differ for 21 of 4,337 places: their addresses say MC, and they lie
beyond the border, in France. A record of no known country has \`ext_country\` \`ZZ\`, and \`country=ZZ\` finds it.

## Parameters of the public service

\`enrichment_fields\` and, on \`/places/brands\` and \`/places/categories\`, \`includes\` are taken so that its clients work here. They
change nothing: what \`enrichment_fields=brand\` adds is Wikidata's and in no dataset, and what \`includes\` filters is \`properties\`, which
counts have not. \`includes[]\` is \`includes\`. Any other unknown name is a 400.

Clients find three differences, where the specification differs from the public service: \`version\` is a text,
\`ext_name\` has the names, not the first of them, and \`counts\` of a brand has \`places\` alone.`;

/** The page as it should be. */
export async function restPage(): Promise<string> {
  // The document is made from the routes: no dataset is read for it.
  const api = createApi({ dataset: openNodeDataset("no-dataset") });
  const response = await api(new Request("http://localhost/openapi.json"));
  const { paths } = (await response.json()) as OpenApi;
  const listed = Object.entries(paths).sort(([a], [b]) => (a < b ? -1 : 1));
  const first = paths["/places"]?.get;
  if (!first) throw new Error("the OpenAPI document has no /places");
  return `${[
    "# REST reference",
    "",
    "Made from the OpenAPI document by `npm run docs`; the document itself is at `openapi.json` below the base URL, and a page to",
    "try it at `docs/`. All paths answer GET, HEAD and OPTIONS, and every origin may read them.",
    "",
    "## Paths",
    "",
    "| path | what it gives | parameters |",
    "|---|---|---|",
    ...listed.map(([path, { get }]) => `| \`${path}\` | ${get.summary ?? ""} | ${namesOf(get)} |`),
    "",
    "## Parameters",
    "",
    "| name | values | meaning |",
    "|---|---|---|",
    ...parametersOf(listed).map(
      ({ name, schema, description }) => `| \`${name}\` | ${valuesOf(schema)} | ${cell(description)} |`,
    ),
    "",
    "## Answers",
    "",
    "| status | when |",
    "|---|---|",
    ...Object.entries(first.responses).map(([status, { description }]) => `| ${status} | ${cell(description)} |`),
    "",
    "## Headers of a list",
    "",
    "| header | meaning |",
    "|---|---|",
    ...Object.entries(first.responses[200]?.headers ?? {}).map(
      ([name, { description = "" }]) => `| \`${name}\` | ${cell(description)} |`,
    ),
    IN_WORDS,
  ].join("\n")}\n`;
}

function namesOf({ parameters = [] }: Operation): string {
  return parameters.map(({ name }) => `\`${name}\``).join(" ");
}

/** So few paths are named in a row. */
const FEW_PATHS = 3;

/** A row for each parameter; where values or meaning differ from path to path, a row for each, with its paths. */
function parametersOf(listed: readonly (readonly [path: string, { readonly get: Operation }])[]) {
  const known = new Map<string, Parameter & { readonly description: string; readonly paths: string[] }>();
  for (const [path, { get }] of listed) {
    for (const parameter of get.parameters ?? []) {
      const { name, schema, description = "" } = parameter;
      const key = JSON.stringify([name, schema, description]);
      const row = known.get(key) ?? { ...parameter, description, paths: [] };
      row.paths.push(path);
      known.set(key, row);
    }
  }
  const rows = [...known.values()].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  return rows.map(({ paths, ...row }) => {
    const isAlone = rows.filter(({ name }) => name === row.name).length === 1;
    if (isAlone || paths.length > FEW_PATHS) return row;
    return { ...row, description: `${row.description} On ${paths.map((path) => `\`${path}\``).join(", ")}.`.trim() };
  });
}

function valuesOf(schema: Schema): string {
  const { type, items, default: usual, minimum, maximum, example } = schema;
  const choices = schema.enum ?? items?.enum;
  const range =
    minimum === undefined
      ? ""
      : maximum === undefined || maximum === Number.MAX_SAFE_INTEGER
        ? `, from ${minimum}`
        : `, ${minimum} to ${maximum}`;
  const kind = choices
    ? choices.map((choice) => `\`${choice}\``).join(" ")
    : items
      ? `list of ${items.type}`
      : `${type}${range}`;
  const list = items && choices ? ", several with commas" : "";
  const given = usual === undefined ? "" : `; \`${usual}\` when left out`;
  const sample = example === undefined ? "" : `; such as \`${example}\``;
  return `${kind}${list}${given}${sample}`;
}

function cell(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll("\n", " ");
}
