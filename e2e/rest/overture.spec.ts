import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, type Page, test } from "@playwright/test";
import { makeSite } from "../../pipeline/cli/commands/make-site.ts";
import {
  type Asked,
  askedRange,
  etagOf,
  type Fault,
  type MirrorServer,
  rangeHeaders,
  startMirror,
} from "../../pipeline/testing/mirror-server.ts";
import { type Row, readParquet } from "../../pipeline/testing/read-parquet.ts";
import { contentSecurityPolicy } from "../../web/hosts/http/policy.ts";
import { parseAllowed } from "../../web/site/allow-release.ts";
import { makeRelease } from "../bench/synth/release.ts";
import type { ReleaseFile } from "../bench/synth/stac.ts";
import { DATASET_FOLDER, PAGE_FOLDER } from "../support/folders.ts";
import { startStaticServer } from "../support/static-server.ts";

const RELEASE = "2026-10-21.0";
const MONACO = "#/places?lat=43.7384&lng=7.4246&radius=5000&view=17.60/43.7384/7.4246";

/** Any page may read it. Hosts usually hide `Content-Range` and `ETag` from pages. */
const READABLE = { "access-control-allow-origin": "*", "cache-control": "no-store" };
const SHOWING = { ...READABLE, "access-control-expose-headers": "Content-Range, ETag" };

/** A fault of the release's files. */
const onFiles =
  (fault: Fault): Fault =>
  (asked, response, body) =>
    asked.path.endsWith(".parquet") && fault(asked, response, body);
const partOf = (asked: Asked, body: Buffer, etag: string) => {
  const [start, last] = askedRange(asked);
  const end = Math.min(last, body.length);
  return { part: body.subarray(start, end), headers: rangeHeaders({ start, end, total: body.length, etag }) };
};
const busy = onFiles((_, response) => Boolean(response.writeHead(503).end()));
const silent = onFiles(() => true);
let changes = 0;
const changed = onFiles((asked, response, body) => {
  changes += 1;
  const { part, headers } = partOf(asked, body, `"${changes}"`);
  return Boolean(response.writeHead(206, headers).end(part));
});
const short = onFiles((asked, response, body) => {
  const { part, headers } = partOf(asked, body, etagOf(body));
  // Without a length, so that the page must detect missing bytes.
  const { "content-length": _, ...others } = headers;
  return Boolean(response.writeHead(206, others).end(part.subarray(0, Math.floor(part.length / 2))));
});

let folder: string;
let mirror: MirrorServer;
let files: readonly ReleaseFile[];

test.beforeAll(async () => {
  test.setTimeout(480_000);
  folder = await mkdtemp(join(tmpdir(), "cairn-overture-"));
  files = await makeRelease({ out: join(folder, "mirror"), releases: [RELEASE], types: ["place", "address"] });
  mirror = await startMirror(join(folder, "mirror"));
  mirror.headers = READABLE;
  const release = parseAllowed(mirror.url);
  await makeSite({ dataset: DATASET_FOLDER, page: PAGE_FOLDER, out: join(folder, "site"), release });
});

test.afterAll(async () => {
  await mirror?.close();
  await rm(folder, { recursive: true, force: true });
});

/** Serves the site with the policy of its `_headers`, or with another. */
async function serveSite(policy?: string) {
  const site = join(folder, "site");
  const [, written = ""] = /Content-Security-Policy: (.*)/.exec(await readFile(join(site, "_headers"), "utf8")) ?? [];
  return startStaticServer({ folders: { "/": site }, headers: { "Content-Security-Policy": policy ?? written } });
}

async function openFiles(page: Page) {
  await page.getByRole("button", { name: "Menu" }).click();
  await page.getByRole("button", { name: "Your files" }).click();
  return page.getByRole("dialog", { name: "Your files" });
}

/** Names of the places in the box, by a loop over the complete release. */
async function namesIn(box: readonly number[]): Promise<string[]> {
  const [west = 0, south = 0, east = 0, north = 0] = box;
  const places = files.filter(({ type }) => type === "place");
  const rows = (await Promise.all(places.map(({ path }) => readParquet(join(folder, "mirror", path))))).flat();
  return rows
    .filter(({ bbox }) => {
      const { xmin, ymin, xmax, ymax } = bbox as Readonly<Record<"xmin" | "ymin" | "xmax" | "ymax", number>>;
      return xmax >= west && xmin <= east && ymax >= south && ymin <= north;
    })
    .map((row) => String((row.names as Row).primary));
}

test("the map's area is downloaded from a release: first the size, then the rows that a loop finds", async ({
  page,
}) => {
  const host = await serveSite();
  try {
    await page.goto(host.url + MONACO);
    const panel = await openFiles(page);
    expect(mirror.asked).toEqual([]);
    await panel.getByRole("button", { name: "Get this area from Overture" }).click();
    const offer = panel.getByRole("region", { name: "Get this area from Overture" });
    await expect(offer).toContainText(`from ${new URL(mirror.url).host}`);
    await offer.getByRole("button", { name: "How large is it?" }).click();
    await expect(offer).toContainText(/Release 2026-10-21\.0\. Rows: about [\d,]+, files: \d\./);
    const written = (await offer.getByText("cairn get --bbox").textContent()) ?? "";
    const expected = await namesIn((written.split(" ").at(-1) ?? "").split(",").map(Number));
    expect(expected.length).toBeGreaterThan(4);
    expect(expected.length).toBeLessThan(51);

    // Each fault is reported, and the same button downloads the rows after it ends.
    mirror.headers = SHOWING;
    const again = async () => {
      await offer.getByRole("button", { name: /^(Try again|How large is it\?)$/ }).click();
      await expect(offer.getByRole("button", { name: /^Fetch/ })).toBeVisible();
    };
    await again();
    for (const [fault, reason] of [
      [busy, /This failed: .*part-.*status 503, 3 times/],
      [changed, /This failed: .*changed since the extract was begun, from "\w+" to "\w+": the release was replaced/],
      [short, /This failed: .*cut short, \d+ of \d+ bytes, 3 times/],
    ] as const) {
      mirror.fault = fault;
      await offer.getByRole("button", { name: /^Fetch/ }).click();
      await expect(offer.getByRole("alert")).toHaveText(reason);
      mirror.fault = undefined;
      await again();
    }
    mirror.fault = silent;
    await offer.getByRole("button", { name: /^Fetch/ }).click();
    await offer.getByRole("button", { name: "Cancel" }).click();
    mirror.fault = undefined;
    mirror.headers = READABLE;
    await again();
    await offer.getByRole("button", { name: /^Fetch/ }).click();
    await expect(offer).toContainText(`Rows added to your files: ${expected.length}`);
    const rows = panel.getByRole("list", { name: `Matches in place-overture-${RELEASE}.geojson` }).getByRole("button");
    await expect(rows).toHaveCount(expected.length);
    const names = (await rows.locator("span:first-child").allInnerTexts()).map((name) => name.trim());
    expect(names.sort()).toEqual(expected.map((name) => name.trim()).sort());
    await rows.first().click();
    await expect(panel.getByRole("definition").filter({ hasText: /^MC$/ }).first()).toBeVisible();
    expect(host.sent.filter(({ path }) => /\/overture-[^/]+\.js$/.test(path))).toHaveLength(1);

    // Too large an area is refused without a request.
    const asked = mirror.asked.length;
    await page.goto(`${host.url}#/places?lat=43.7384&lng=7.4246&radius=5000&view=6.00/43.7384/7.4246`);
    await page.reload();
    const wide = await openFiles(page);
    await wide.getByRole("button", { name: "Get this area from Overture" }).click();
    await wide.getByRole("button", { name: "How large is it?" }).click();
    await expect(wide.getByRole("alert")).toHaveText(/The map shows [\d,]+ km². The maximum is 10,000 km²/);
    expect(mirror.asked).toHaveLength(asked);
  } finally {
    await host.close();
  }
});

test("a download whose code fails to load is reported, and a retry measures it", async ({ page }) => {
  const host = await serveSite();
  try {
    await page.goto(host.url + MONACO);
    const panel = await openFiles(page);
    await panel.getByRole("button", { name: "Get this area from Overture" }).click();
    const offer = panel.getByRole("region", { name: "Get this area from Overture" });
    const find = host.lose(/\/assets\/overture-[\w-]+\.js$/);
    await offer.getByRole("button", { name: "How large is it?" }).click();
    await expect(panel.getByRole("alert")).toContainText("the map data’s host does not answer");
    find();
    await offer.getByRole("button", { name: /^(Try again|How large is it\?)$/ }).click();
    await expect(offer.getByRole("button", { name: /^Fetch/ })).toBeVisible();
  } finally {
    await host.close();
  }
});

test("without the flag there is no download, and the policy blocks requests", async ({ page }) => {
  const plain = await startStaticServer({ folders: { "/": PAGE_FOLDER, "/dataset/": DATASET_FOLDER } });
  const strict = await serveSite(contentSecurityPolicy("site"));
  try {
    expect(await readFile(join(PAGE_FOLDER, "index.html"), "utf8")).not.toContain("cairn-overture");
    await page.goto(plain.url + MONACO);
    const panel = await openFiles(page);
    await expect(panel.getByRole("button", { name: "Choose a file" }).first()).toBeVisible();
    await expect(panel.getByRole("button", { name: "Get this area from Overture" })).toHaveCount(0);

    const asked = mirror.asked.length;
    await page.goto(strict.url + MONACO);
    const offering = await openFiles(page);
    await offering.getByRole("button", { name: "Get this area from Overture" }).click();
    await offering.getByRole("button", { name: "How large is it?" }).click();
    await expect(offering.getByRole("alert")).toContainText("This failed:");
    expect(mirror.asked).toHaveLength(asked);
  } finally {
    await plain.close();
    await strict.close();
  }
});
