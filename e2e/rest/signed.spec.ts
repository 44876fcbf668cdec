/** A page that pins a key shows only releases that this key signed, and none older than before. */
import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { keyText } from "../../data/format/signature.ts";
import { readSigningKey, type SigningKey, signDataset, writeNewKey } from "../../pipeline/tools/sign/index.ts";
import { pinKeys } from "../../web/site/pin-key.ts";
import { test as base, expect } from "../support/fixtures.ts";
import { PAGE_FOLDER } from "../support/folders.ts";
import { AROUND_RELEASES, publishRelease, type Release } from "../support/releases.ts";
import { serviceWorkerReady } from "../support/service-worker.ts";
import { startStaticServer } from "../support/static-server.ts";

interface Fixtures {
  /** A folder with `page` and `dataset`, which the host serves. The page pins `own`. */
  readonly folder: string;
  readonly own: SigningKey;
  readonly foreign: SigningKey;
}

const test = base.extend<Fixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright wants the pattern
  folder: async ({}, use) => {
    const folder = await mkdtemp(join(tmpdir(), "cairn-signed-"));
    for (const name of ["own", "foreign"]) await writeNewKey(join(folder, `${name}.pem`), "p256");
    await use(folder);
    await rm(folder, { recursive: true, force: true });
  },
  own: async ({ folder }, use) => use(await readSigningKey(join(folder, "own.pem"))),
  foreign: async ({ folder }, use) => use(await readSigningKey(join(folder, "foreign.pem"))),
  host: async ({ folder, own }, use) => {
    const page = join(folder, "page");
    await cp(PAGE_FOLDER, page, { recursive: true });
    await pinKeys(page, keyText(own.public));
    await publish(folder, MARCH, own);
    const host = await startStaticServer({ folders: { "/": page, "/dataset/": join(folder, "dataset") } });
    await use(host);
    await host.close().catch(() => {});
  },
  home: ({ host }, use) => use(host.url),
});
test.use({ hasMap: false });

const MARCH: Release = { name: "march", places: 60, nameOf: (i) => `March ${i}` };
const APRIL: Release = { name: "april", places: 70, firstLon: 7.4201, nameOf: (i) => `April ${i}` };
const SEQUENCE = new Map([MARCH, APRIL].map(({ name }, index) => [name, index + 1]));

async function publish(folder: string, release: Release, key: SigningKey | undefined): Promise<void> {
  const dataset = join(folder, "dataset");
  await publishRelease(dataset, release);
  const nowSeconds = Date.parse("2027-01-15T12:00:00Z") / 1000;
  if (key) await signDataset({ dataset, key, signer: "Acme", sequence: SEQUENCE.get(release.name), nowSeconds });
}

const places = `#/places?${AROUND_RELEASES}`;

async function expectRefused(page: Page, reason: RegExp): Promise<void> {
  const note = page.getByRole("alert");
  await expect(note).toContainText("Not signed by the page’s key, or older than before.");
  await note.getByText("Details from the program").click();
  await expect(note).toContainText(reason);
  await expect(page.locator(".result")).toHaveCount(0);
}

/** The answer of the service worker. */
const rest = (page: Page) =>
  page.evaluate(async () => {
    const response = await fetch("places?country=MC&limit=1");
    return { status: response.status, code: response.headers.get("Cairn-Error"), body: await response.text() };
  });

test("a signed release is shown, and About says who signed it", async ({ page, home, host }) => {
  await page.goto(home + places);
  await expect(page.getByRole("status")).toHaveText("60 places found");
  const sent = host.sent.filter(({ path }) => path.endsWith(".sig"));
  expect(sent).toHaveLength(1);
  expect(sent[0]?.bytes).toBeLessThanOrEqual(200);
  await page.getByRole("button", { name: "Menu" }).click();
  await page.getByRole("button", { name: "About" }).click();
  await expect(page.getByRole("dialog", { name: "About" })).toContainText(
    /Release march Signed: Acme \([0-9a-f]{16}\), 2027-01-15\./,
  );
  await serviceWorkerReady(page);
  expect(await rest(page)).toMatchObject({ status: 200, code: null });
});

test("a foreign release is refused by page and service worker", async ({ page, home, folder, foreign }) => {
  await publish(folder, APRIL, foreign);
  await page.goto(home + places);
  await expectRefused(page, /manifest\.json is signed by the key \w+, expected \w+/);
});

test("an older and an unsigned release are refused after a newer one was seen", async ({ page, home, folder, own }) => {
  await publish(folder, APRIL, own);
  await page.goto(home + places);
  await expect(page.getByRole("status")).toHaveText("70 places found");
  await serviceWorkerReady(page);
  for (const [key, reason] of [
    [own, /has the sequence 1, expected more than 2: the host sends an older release/],
    [undefined, /manifest\.json is not signed/],
  ] as const) {
    await publish(folder, MARCH, key);
    await page.goto("about:blank");
    await page.goto(home + places);
    await expectRefused(page, reason);
    const { status, code, body } = await rest(page);
    expect([status, code]).toEqual([503, "CAIRN_E_SIGNATURE"]);
    expect(body).toMatch(reason);
  }
  await publish(folder, APRIL, own);
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByRole("status")).toHaveText("70 places found");
});

test("<cairn-map> pins a key too", async ({ page, home, folder, own, foreign }) => {
  const element = async (key: string) => {
    await writeFile(
      join(folder, "page/element.html"),
      `<!doctype html><title>Element</title><link rel="icon" href="data:,">
      <script type="module" src="embed/cairn-map.js"></script>
      <cairn-map src="dataset/" lat="43.73" lng="7.4215" radius="2000" pinned-key="${key}"></cairn-map>`,
    );
    await page.goto(`${home}element.html`);
    return page.locator("cairn-map").getByRole("status");
  };
  await expect(await element(keyText(own.public))).toHaveText(/60/);
  await expect(await element(keyText(foreign.public))).toContainText("is signed by the key");
  await expect(await element("")).toContainText("0 keys, expected 1 to 8");
  await publish(folder, APRIL, undefined);
  await expect(await element(keyText(own.public))).toContainText("manifest.json is not signed");
});
