/**
 * The REST reference as a page of text, from the OpenAPI document that the interface gives of itself.
 * @module
 */
import { createRoutes } from "../../web/api/index.ts";
import { openNodeDataset } from "../../web/hosts/node/open.ts";

export const REST_PAGE = "docs/reference/rest.md";

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

/** Content that the OpenAPI document cannot express. Figures are of the sample; `e2e/clients/demo.test.ts` counts them. */
const IN_WORDS = `
## From words to places, and back

\`/autocomplete\` answers suggestions for a text while it is typed. \`/search\` answers their records, each with \`ext_match\`: \`exact\`, \`words\`, \`prefix\`,
\`category\`, \`part\`, \`near-number\` (a house near the missing one), \`misspelt\` or \`position\`. Words can have any order.

\`/autocomplete\` also suggests categories of places near \`lat\` and \`lng\`, or in a town of the text: by name (\`exact\`), or by what people do there (\`intent\`), such as
\`toothache\`. \`id\` is the value for \`categories\`.

With \`language\` (\`lang\` of Photon) a text can use the names of categories in that language (*Apotheke*, *薬局*): \`en\`, \`fr\`, \`de\`, \`es\`, \`ja\`, \`ar\`,
\`it\`, \`pt\`, \`zh\` and \`hi\`. The default is English. If no answer uses all words, other languages are tried.

\`unused\` of a suggestion, and \`ext_unused\` of a record of \`/search\` and of a feature of \`/photon/api\`, list the words of the text that the answer does not use.
If nothing uses all words, answers that leave out one word come first.

\`/reverse\` answers the nearest address, street and place within \`radius\`, the divisions that contain the point, and one line for the address.

\`/photon/api\`, \`/photon/reverse\` and \`/photon/status\` have the interface of [Photon](https://github.com/komoot/photon). Set the address of a Photon client to \`<base URL>/photon\`.
\`leaflet-control-geocoder\`, and \`geopy\` with the Node host, are tested unchanged. MapLibre's search box has [an adapter](../guides/embedding.md#a-search-box). Answers have no \`osm_id\`.

\`osm_tag\` takes a tag with an equivalent in the data: a category of places (\`amenity:pharmacy\`, \`shop:bakery\`, \`tourism:hotel\`), a class of roads (\`highway:primary\`), a kind of division
(\`place:town\`), or \`highway\` or \`place\` alone. \`!\` in front excludes the tag. A tag without an equivalent is a 400 that lists the allowed values. Photon's \`include\` and \`exclude\` are a 400, too.
\`zoom\`, \`location_bias_scale\`, \`dedupe\`, \`distance_sort\`, \`debug\` and \`geometry\` are accepted and have no effect.

### Nominatim

\`/nominatim/search\`, \`/nominatim/reverse\`, \`/nominatim/lookup\` and \`/nominatim/status\` have the interface of [Nominatim](https://nominatim.org/release-docs/latest/api/Overview/):
its parameters, formats and errors (\`{"error": {"code": 400, "message": ...}}\`). It differs in these points:

- There is no \`xml\`: without \`format\`, results are \`jsonv2\`.
- \`place_id\` is a number made from \`id\`, the id of the record. \`lookup\` takes \`id\` in \`osm_ids\`. \`osm_type\` and \`osm_id\` are present if the record names its feature.
- A result leaves out no words of the text except numbers.
- The header \`Accept-Language\` has no effect.
- \`json_callback\`, \`polygon_kml\`, \`polygon_svg\`, \`polygon_text\` and other layers than \`address\` and \`poi\` are a 400. Unknown parameters have no effect.

A slash at the end of a path makes no difference, except for \`/docs/\`.

## What changed

\`/changes\` compares a search in two releases, by id and content. \`since\` names a release that the dataset [keeps](../guides/changes.md#an-older-release-kept). Each record that differs has \`change\` (\`added\`, \`removed\`, \`changed\`)
and \`columns\`, the names of its columns that differ. A record that moved out of the circle is \`removed\`, and a record that moved into it is \`added\`. [More](../guides/changes.md#asked-of-a-place).

## Pages of one release

The links to the previous, the next and the last page contain \`release\`. While the dataset [keeps](../guides/changes.md#an-older-release-kept) that release, all pages come from it, also after a new release is published.
Otherwise the answer is a 409 that names the requested and the current release: start again with the first page. The link to the first page has no \`release\`: it starts a new list, of the current release.

## In an area

A search takes a polygon instead of a circle, or in addition to one. It finds records whose geometry intersects the polygon. The records nearest to the polygon's
representative point come first, then the order is by id. \`properties.ext_distance\` has the distance. With \`lat\` and \`lng\` distances start there.

- \`within\` is the id of a division or of a division area. Its outline is the area.
- \`POST\` on a search path or \`/counts\` takes any area: a GeoJSON Polygon or MultiPolygon, or a Feature with one, as \`application/geo+json\`. All other
  parameters are in the address. The limits are 8 MiB, 500,000 vertices, and 300 million comparisons with edges for each search. Beyond a limit the answer is a 413. A body of another media type is a 415, a \`POST\` without \`Content-Type\` a 405.
  Edges are straight in longitude and latitude. Longitudes can continue beyond 180 or -180, so that a ring over the antimeridian is continuous.

## Counts

\`/counts\` counts what a search finds, exactly, mostly without reading records: \`what\` names the path or the table, and the filters of its search select the records.

| request | answer |
|---|---|
| \`/counts?country=MC\` | the number of places |
| \`/counts?country=MC&group=cell&level=5&format=geojson\` | a heat map: geohash cells as polygons |
| \`/counts?lat=43.74&lng=7.42&radius=1000&group=category\` | places by primary category |
| \`/counts?country=FR&group=division&level=region&categories=cafe\` | cafes of each region |
| \`/counts?what=buildings&bbox=7.40,43.72,7.44,43.76&group=class\` | buildings by class |

A record belongs to the cell of its representative point, and to each division whose outline it meets. \`group=category\` counts primary categories, and the filter
\`categories\` also finds alternate ones. Brands have small letters, as the filter \`brand_name\` compares them.

A dataset stores counts by category, brand, tenth of confidence, class, subtype, level, and each column of a table with a list of values. Conditions on these
values, and areas of any kind, read counts and the positions along the outline. Other conditions (a name, \`source\`, \`min_confidence=0.75\`, ranges of a table) read
their records to group them. Too many are a 400 that says what is allowed. Without \`group\` there is no limit.
A [saved area](../guides/field.md#saved-areas) counts its records without a network. [OGC API](../guides/ogc.md#counts) has counts too.

## A table of your own

A dataset of [your own table](../start/own-data.md) has the paths \`/{collection}\` and \`/{collection}/{id}\` too, such as \`/shops\`. Its
\`openapi.json\` describes them, with the columns as parameters and as properties of records, and generated clients have them. Take the names of
parameters from there: a column has \`c.\` before its name if another parameter or every record has that name.

## Missing values

| member | without a value |
|---|---|
| a property, also \`categories\` and \`names\` | omitted (\`/changes\`: null) |
| a list | omitted if it is null; an empty list is present |
| \`sources[].property\`, \`.dataset\`, \`.record_id\` | \`""\`: 3,545 of the 7,882 sources of places in the sample name no record |
| \`brand\` | omitted if all its members are null: in the sample, 2,103 of 2,364 are written as a brand with nulls only |
| \`brand.names.primary\` | \`""\` if the brand has no name but a Wikidata item |
| any other member of an object | omitted |
| \`geometry\` | null only with \`include_geometry=false\`, and in \`divisions\` of \`/reverse\` |

The specification defines these members as texts, and null is not a text. The public service answers null for them, and its clients fail there.
\`properties\` of a record contains \`id\` again, also if \`includes\` does not list it.

A filter finds only records with a value. \`min_height=10&include_unknown=min_height\` also finds buildings without a height. Only numbers, and dates and yes/no
columns of tables take it: an absent website means no, not unknown.

## Which country

On \`/addresses\` and \`/divisions\`, \`country\` compares \`properties.country\` of the record. On other paths it compares \`properties.ext_country\`, the country whose
outline contains the record. \`addresses[].country\` of a place is not used. In the sample the two differ for 21 of 4,337 places: their addresses have the code MC, and they are
in France. \`country=FR,DE\` finds the records of any of at most 60 countries. A record without a known country has \`ext_country\` \`ZZ\`, and \`country=ZZ\` finds it.

## Parameters of the public service

The interface accepts \`enrichment_fields\`, and \`includes\` on \`/places/brands\` and \`/places/categories\`, so that clients of the public service work. They
have no effect: no dataset has Wikidata's values for \`enrichment_fields=brand\`, and counts have no \`properties\` to filter. \`includes[]\` equals \`includes\`. Any other unknown name is a 400, except on \`/nominatim\`.

The specification differs from the public service in three points: \`version\` is a text,
\`ext_name\` has all names instead of the first, and \`counts\` of a brand has only \`places\`.`;

/** The page as it should be. */
export function restPage(): string {
  const document = createRoutes(openNodeDataset("no-dataset")).documentAt(".");
  const { paths } = JSON.parse(JSON.stringify(document)) as OpenApi;
  const listed = Object.entries(paths).sort(([a], [b]) => (a < b ? -1 : 1));
  const first = paths["/places"]?.get;
  if (!first) throw new Error("the OpenAPI document has no /places");
  return `${[
    "# REST reference",
    "",
    "With this page you write requests by hand. `npm run docs` writes it from the OpenAPI document. Each host has the document at `openapi.json`. Hosts with the page of Cairn have a page to try it at",
    "`docs/`. These paths answer GET, HEAD and OPTIONS. Search paths and `/counts` also answer POST with an area. Pages of every origin may read the answers.",
    "",
    "## Paths",
    "",
    "| path | answer | parameters |",
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
