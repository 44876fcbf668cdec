import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { buildDataset } from "../../pipeline/builder/dataset/index.ts";
import { makeSite } from "../../pipeline/cli/commands/make-site.ts";
import { packFile } from "../../pipeline/cli/commands/pack-file.ts";
import { addCredits, readSettings, SETTINGS_FILE } from "../../pipeline/cli/map/index.ts";
import { point, writeGeoJson } from "../../pipeline/testing/folders.ts";
import { DATASET_FOLDER, PAGE_FOLDER } from "../support/folders.ts";
import { startStaticServer } from "../support/static-server.ts";

test("listed area files can be saved if they match the list", async ({ page }) => {
  const out = await mkdtemp(join(tmpdir(), "cairn-packs-"));
  const pack = await packFile({
    dataset: DATASET_FOLDER,
    out,
    shape: { kind: "country", country: "MC" },
    name: "Monaco",
    hasNames: true,
  });
  const host = await startStaticServer({
    folders: { "/maps/": PAGE_FOLDER, "/maps/dataset/": DATASET_FOLDER, "/maps/packs/": out },
  });
  const list = join(out, "packs.json");
  try {
    const good = await readFile(list, "utf8");
    await writeFile(list, good.replace(pack.sha256, "0".repeat(64)));
    const panel = page.getByRole("dialog", { name: "Saved areas" });
    const ready = panel.getByRole("list", { name: "Prepared areas" }).getByRole("listitem");
    const open = async () => {
      await page.getByRole("button", { name: "Menu" }).click();
      await page.getByRole("button", { name: "Saved areas" }).first().click();
      await expect(ready).toHaveText([/Monaco.*MB/]);
    };
    // The list has its own address, which follows the panel.
    await page.goto(`${host.url}maps/#/packs`);
    await expect(ready).toHaveText([/^Monaco[\d.]+ MB.*SHA-256 ?0{64}$/]);
    await expect(panel.getByRole("list").first()).toHaveAccessibleName("Prepared areas");
    await expect(page).toHaveURL(/#\/packs(\?view=.*)?$/);
    await panel.getByRole("button", { name: "Close" }).click();
    await expect(page).toHaveURL(/#\/(\?view=.*)?$/);
    await page.goBack();
    await expect(ready).toHaveCount(1);
    await page.evaluate(() => {
      location.hash = "#/places?country=MC";
    });
    await expect(panel).toBeHidden();

    await open();
    await panel.getByRole("button", { name: "Save Monaco" }).click();
    await expect(panel.getByRole("alert")).toContainText(`SHA-256 ${pack.sha256}, expected ${"0".repeat(64)}`);
    await expect(panel.getByRole("list", { name: "Saved areas" }).getByRole("listitem")).toHaveCount(0);

    await writeFile(list, good.replace(`"bytes": ${pack.bytes}`, `"bytes": ${pack.bytes - 1}`));
    await page.reload();
    await open();
    await panel.getByRole("button", { name: "Save Monaco" }).click();
    await expect(panel.getByRole("alert")).toContainText(`has more than the ${pack.bytes - 1} bytes`);

    await writeFile(list, good);
    await page.reload();
    await open();
    await panel.getByRole("button", { name: "Save Monaco" }).click();
    await expect(panel.getByRole("list", { name: "Saved areas" }).getByRole("listitem")).toHaveText([/Monaco/]);
  } finally {
    await host.close();
    await rm(out, { recursive: true, force: true });
  }
});

test("a map's title, colours, languages, first view and attribution come from its map.json", async ({ page }) => {
  const folder = await mkdtemp(join(tmpdir(), "cairn-map-"));
  const [extract, dataset, site] = [join(folder, "extract"), join(folder, "dataset"), join(folder, "site")];
  const set = {
    title: "Our <town>",
    area: { country: "MC" },
    view: { lon: 7.4246, lat: 43.7384, zoom: 16 },
    colors: { light: "#0b6b83", dark: "#56c8e0" },
    languages: ["de", "fr"],
    attribution: [{ dataset: "town", license: "CC0-1.0", text: "The town of Monaco" }],
  };
  await mkdir(extract);
  await writeGeoJson(extract, "place.geojson", [point("a", 7.4246, 43.7384)]);
  await writeFile(join(extract, "attribution.json"), "[]");
  await writeFile(join(folder, SETTINGS_FILE), JSON.stringify(set));
  const map = await readSettings(join(folder, SETTINGS_FILE));
  if (!map) throw new Error("no settings");
  await addCredits(extract, map);
  await buildDataset({ sources: [extract], out: dataset });
  await makeSite({ dataset, out: site, page: PAGE_FOLDER, map });
  const host = await startStaticServer({ folders: { "/": site } });
  try {
    await page.goto(host.url);
    await expect(page).toHaveTitle("Our <town>");
    await expect(page.getByText("The town of Monaco").first()).toBeVisible();
    await expect(page.locator(".maplibregl-ctrl-scale")).toHaveText(/^(50|100)\sm$/);
    await expect(page.locator("html")).toHaveAttribute("lang", "de");
    await expect(page.locator("html")).toHaveCSS("--accent", "#0b6b83");
    await page.emulateMedia({ colorScheme: "dark" });
    await expect(page.locator("html")).toHaveCSS("--accent", "#56c8e0");
    await page.getByRole("button", { name: "Menü" }).click();
    await expect(page.getByRole("combobox").getByRole("option")).toHaveText(["Deutsch", "Français"]);
  } finally {
    await host.close();
    await rm(folder, { recursive: true, force: true });
  }
});
