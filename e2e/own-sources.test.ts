import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { afterEach, describe, expect, test, vi } from "vitest";
import { readManifestFile } from "../data/format/manifest-file.ts";
import { temporaryFolders } from "../pipeline/testing/folders.ts";
import { runCairn } from "../pipeline/testing/run-cairn.ts";
import { verifyDataset } from "../pipeline/tools/verify/verify.ts";
import { createApi } from "../web/api/index.ts";
import { buildSample } from "../web/engine/testing/sample.ts";
import { openNodeDataset } from "../web/hosts/node/open.ts";

vi.setConfig({ testTimeout: 300_000 });

const newFolder = temporaryFolders();
const OSM = fileURLToPath(new URL("../data/tables/testing/osm/", import.meta.url));

const encode = (text: string) => new TextEncoder().encode(text);

async function build(...args: readonly string[]) {
  const out = join(await newFolder(), "dataset");
  const { code, stdout, stderr } = await runCairn("build", ...args, "--out", out, "--level", "fast");
  expect([code, stderr]).toEqual([0, expect.anything()]);
  const faults = (await verifyDataset(out)).filter((line) => line.faults.length > 0);
  expect(faults).toEqual([]);
  return { out, stdout, stderr };
}

interface Row {
  readonly id: string;
  readonly geometry: { readonly type: string; readonly coordinates: unknown };
  readonly properties: Readonly<Record<string, unknown>>;
}

async function ask(dataset: string, path: string): Promise<Row[]> {
  const answer = await createApi({ dataset: openNodeDataset(dataset) })(new Request(`http://cairn.invalid${path}`));
  expect([path, answer.status]).toEqual([path, 200]);
  return answer.json() as Promise<Row[]>;
}

const manifestOf = async (dataset: string) => readManifestFile(await readFile(join(dataset, "manifest.json")));

describe("an extract of OpenStreetMap", () => {
  test("is a collection with filters for its keys, areas, and the licence in the manifest", async () => {
    const { out, stderr } = await build(`${OSM}town.osm.pbf`);
    const { attribution, collections, rejects } = await manifestOf(out);
    expect(attribution).toEqual([
      {
        dataset: "OpenStreetMap",
        license: "ODbL-1.0",
        text: "© OpenStreetMap contributors",
        url: "https://www.openstreetmap.org/copyright",
      },
    ]);
    expect([collections.town?.rows, rejects.rows]).toEqual([2680, 86]);
    expect(stderr).toMatch(
      /^town: 2766 rows read of .*town\.osm\.pbf \(osm-pbf, EPSG:4326\), 2680 taken, 86 rejected$/m,
    );
    expect(stderr).toMatch(/^ {2}rejected: 86 nodes missing, lines \d+, \d+, \d+, \d+, \d+, \.\.\.$/m);
    const schools = await ask(out, "/town?category=school&limit=50");
    expect(schools.length).toBeGreaterThan(0);
    expect(schools.every(({ properties }) => JSON.stringify(properties.category).includes('"school"'))).toBe(true);
    const amenities = await ask(out, "/town?amenity=school&limit=50");
    expect(amenities.every(({ properties }) => properties.amenity === "school")).toBe(true);
    expect(schools.map(({ id }) => id)).toEqual(expect.arrayContaining(amenities.map(({ id }) => id)));
    const settled = await ask(out, "/town?main_key=landuse&category=residential&limit=50");
    expect(settled.map(({ geometry, properties }) => [geometry.type, properties.landuse])).toEqual(
      settled.map(() => ["Polygon", "residential"]),
    );
    expect(settled.length).toBe(17);
    const fast = await ask(out, "/town?maxspeed_min=80&limit=50");
    expect(fast.length).toBeGreaterThan(0);
  });

  test("in gzip is read as without, whatever the file's name", async () => {
    const bytes = await readFile(`${OSM}rings.osm`);
    const folder = await newFolder();
    const [plain, packed] = [join(folder, "rings.osm"), join(folder, "rings")];
    await writeFile(plain, bytes);
    await writeFile(packed, gzipSync(bytes));
    const [a, b] = [
      (await build(plain, "--most-rejects", "50%")).out,
      (await build(packed, "--most-rejects", "50%")).out,
    ];
    const [of, ofPacked] = [await manifestOf(a), await manifestOf(b)];
    expect(ofPacked.attribution).toEqual(of.attribution);
    expect(ofPacked.collections.rings?.schema).toEqual(of.collections.rings?.schema);
    expect(await ask(b, "/rings?limit=50")).toEqual(await ask(a, "/rings?limit=50"));

    const refused: readonly (readonly [Uint8Array, RegExp])[] = [
      [gzipSync(bytes).subarray(0, 300), /cut\.osm\.gz: the gzip data is damaged or cut: .*CAIRN_E_SOURCE/],
      [encode("BZh91AY&SY"), /cut\.osm\.gz is compressed with bzip2: unpack it with bunzip2, or compress it with gzip/],
    ];
    const cut = join(folder, "cut.osm.gz");
    for (const [content, message] of refused) {
      await writeFile(cut, content);
      const { code, stderr } = await runCairn("build", cut, "--out", join(folder, "cut"));
      expect([code, stderr]).toEqual([1, expect.stringMatching(message)]);
    }
  });

  test("of Overpass, with names in other languages that find the object", async () => {
    const file = join(await newFolder(), "overpass.json");
    const tags = {
      amenity: "cafe",
      name: "Kahvila",
      "name:de": "Kaffeehaus",
      "name:ja": "喫茶店",
      "addr:street": "Tori",
    };
    const elements = [{ type: "node", id: 7, lat: 60.1, lon: 24.9, tags }];
    await writeFile(file, JSON.stringify({ version: 0.6, osm3s: {}, elements }));
    const { out } = await build(file, "--name", "cafes");
    for (const word of ["kahvila", "kaffeehaus", "喫茶店"])
      expect((await ask(out, `/cafes?name=${encodeURIComponent(word)}`)).map(({ id }) => id)).toEqual(["node/7"]);
    const [cafe] = await ask(out, "/cafes?category=cafe");
    expect(cafe?.properties.addresses).toEqual([{ freeform: "Tori" }]);
  });
});

const ADDRESSES = `Name,Street,No,Postcode,City,Lat,Lon
House,Avenue de la Costa,25,98000,Monaco,,
Near house,Rue Grimaldi,12,98000,Monaco,,
Street,Rue Grimaldi,999,98000,Monaco,,
Town,Nowhere Street,5,,Boulder,,
Nothing,Nowhere Street,5,,Qwertyville,,
Street only,Broadway,1777,,,,
Empty,,,,,,
Own,Rue X,1,98000,Monaco,43.73,7.42
`;

describe("--geocode", () => {
  test("fills coordinates from the addresses of a dataset and reports each row's match", async () => {
    const file = join(await newFolder(), "shops.csv");
    await writeFile(file, ADDRESSES);
    const { out, stderr } = await build(file, "--geocode", await buildSample(), "--role", "housenumber=No");
    const rows = await ask(out, "/shops");
    const matches = Object.fromEntries(rows.map(({ properties }) => [properties.Name, properties.geocoded]));
    expect(matches).toEqual({ House: "house", "Near house": "street", Street: "street", Town: "town", Own: "file" });
    const house = rows.find(({ properties }) => properties.Name === "House");
    expect(house?.geometry.coordinates).toEqual([7.4241888, 43.7385194]);
    expect(stderr).toMatch(/^ {2}addresses: house 1, street 2, town 1, none 3, file 1$/m);
    expect(stderr).toMatch(/^ {2}rejected: 3 address not found, lines 6, 7, 8$/m);
    expect((await manifestOf(out)).attribution.length).toBeGreaterThan(0);
  });

  test("reads addresses in one text, and builds the same bytes again", async () => {
    const file = join(await newFolder(), "shops.csv");
    await writeFile(file, 'Name,Address\nA,"25 Avenue de la Costa, 98000 Monaco"\nB,"1777 Broadway, Boulder, CO"\n');
    const sample = await buildSample();
    const [first, second] = [await build(file, "--geocode", sample), await build(file, "--geocode", sample)];
    expect((await ask(first.out, "/shops")).map(({ properties }) => properties.geocoded)).toEqual(["house", "house"]);
    expect(await readFile(join(second.out, "manifest.json"))).toEqual(await readFile(join(first.out, "manifest.json")));
  });

  test("of a table or a dataset without addresses is refused", async () => {
    const folder = await newFolder();
    const file = join(folder, "shops.csv");
    await writeFile(file, "Colour,Size\nred,1\n");
    const failed = await runCairn("build", file, "--out", join(folder, "a"), "--geocode", await buildSample());
    expect(failed.stderr).toMatch(/no column with addresses among Colour, Size: name one with --role address=/);
    const { out } = await build(fileURLToPath(new URL("../docs/examples/shops.csv", import.meta.url)));
    const other = await runCairn("build", file, "--out", join(folder, "a"), "--geocode", out);
    expect(other.stderr).toMatch(/the dataset has shops; addresses are found in address, segment and division/);
  });
});

describe("a source at a web address", () => {
  let server: Server | undefined;
  afterEach(() => server?.close());

  test("is built again only when its rows changed", async () => {
    let text = "Name,lat,lng\nPort,43.73,7.42\n";
    server = createServer((_, response) => void response.end(text));
    await new Promise<void>((resolve) => server?.listen(0, "127.0.0.1", resolve));
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/export/shops.csv`;
    const out = join(await newFolder(), "dataset");
    const run = async () => {
      const { code, stdout, stderr } = await runCairn("build", address, "--out", out, "--json", "--level", "fast");
      expect([code, stderr]).toEqual([0, expect.anything()]);
      return { stderr, ...(JSON.parse(stdout) as { readonly is_changed: boolean; readonly rows: number }) };
    };
    expect(await run()).toMatchObject({ is_changed: true, rows: 1 });
    const again = await run();
    expect(again.is_changed).toBe(false);
    expect(again.stderr).toMatch(/shops\.csv: not changed since the last build/);
    expect(again.stderr).toMatch(/nothing changed: the dataset has the same content as before/);
    text += "Rock,43.74,7.43\n";
    expect(await run()).toMatchObject({ is_changed: true, rows: 2 });
    expect((await ask(out, "/shops")).length).toBe(2);
  });

  test("is the table of a map project, with the project's cairn.json", async () => {
    server = createServer((_, response) => void response.end("Shop;lat;lng;Kind\nA;43.73;7.42;x\nB;43.74;7.43;y\n"));
    await new Promise<void>((resolve) => server?.listen(0, "127.0.0.1", resolve));
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/our-shops.csv`;
    const project = join(await newFolder(), "project");
    const init = await runCairn("init", project, "--from", address, "--package", "0.1.0");
    expect([init.code, init.stdout]).toEqual([
      0,
      expect.stringContaining(
        `cairn init --from ${address} --package 0.1.0 ${project} --force --place "<town, country>"\nnext: `,
      ),
    ]);
    const settings = JSON.parse(await readFile(join(project, "map.json"), "utf8")) as object;
    expect(settings).toMatchObject({ table: address });
    await writeFile(join(project, "cairn.json"), JSON.stringify({ roles: { description: "Kind" } }));
    const cli = ["--import", import.meta.resolve("tsx"), resolve("pipeline/cli/main.ts"), "build"];
    const { stderr } = await promisify(execFile)(process.execPath, cli, { cwd: project });
    expect(stderr).toMatch(/^our_shops: 2 rows read/m);
    expect(stderr).toMatch(/^ {2}Kind +text +description/m);
  });

  test("that is a web page is refused", async () => {
    server = createServer((_, response) => void response.setHeader("content-type", "text/html").end("<html>"));
    await new Promise<void>((resolve) => server?.listen(0, "127.0.0.1", resolve));
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/shops`;
    const { code, stderr } = await runCairn("build", address, "--out", join(await newFolder(), "dataset"));
    expect([code, stderr]).toEqual([1, expect.stringMatching(/the answer is a web page, not data/)]);
  });
});

test("columns that are new, missing or of another type since the last build are named", async () => {
  const folder = await newFolder();
  const file = join(folder, "shops.csv");
  const stderrOf = async (text: string) => {
    await writeFile(file, text);
    const { code, stderr } = await runCairn("build", file, "--out", join(folder, "dataset"));
    expect(code).toBe(0);
    return stderr;
  };
  expect(await stderrOf("Name,lat,lng,Price,type\nA,1,2,3,x\n")).not.toMatch(/column/);
  const changed = await stderrOf("Name,lat,lng,Price,Colour\nA,1,2,cheap,red\n");
  expect(changed).toMatch(/^ {2}column of another type: Price is text, was integer$/m);
  expect(changed).toMatch(/^ {2}new column: Colour \(text\)$/m);
  expect(changed).toMatch(/^ {2}missing column: type \(text\)$/m);
});
