import { readFile } from "node:fs/promises";
import { expect, test } from "../support/fixtures.ts";
import { BOULDER } from "../support/searches.ts";

const HOSPITAL = "8e7f4543-67ae-41fd-81bd-a4aeb962eb5e";

test("a record shows its data, moves to adjacent records, and closes", async ({ page, home }) => {
  await page.goto(home + BOULDER);
  const rows = page.getByRole("list", { name: "Results" }).getByRole("listitem");
  await rows.filter({ hasText: "Boulder Community Hospital" }).getByRole("button").click();
  const detail = page.getByRole("article", { name: "Boulder Community Hospital" });
  await expect(detail.getByRole("link", { name: "bch.org" })).toHaveAttribute("href", /^https?:\/\//);
  await expect(detail.getByRole("link", { name: "(303) 604-5080" })).toHaveAttribute("href", /^tel:/);
  // what people do with a place comes first
  await expect(detail.getByRole("link", { name: "Call" })).toHaveAttribute("href", "tel:3036045080");
  await expect(detail.getByRole("link", { name: "Website" })).toHaveAttribute("href", /bch\.org/);
  await expect(detail.getByRole("link", { name: "Directions", exact: true })).toHaveAttribute("href", /to=40\.01/);
  await expect(detail.getByRole("button", { name: "Share" })).toBeVisible();
  await expect(detail.locator("address")).toHaveText("6685 Gunpark Dr Ste 110Boulder, CO 80301United States");
  await detail.getByText("Data", { exact: true }).click();
  await expect(detail.getByRole("list", { name: "Categories" })).toContainText("Hospital");
  await expect(detail).toContainText(HOSPITAL);
  await expect(page).toHaveURL(/record=8e7f4543/);
  await detail.getByText("Sources", { exact: true }).click();
  await expect(detail.getByRole("link", { name: "Foursquare OS Places" }).first()).toHaveAttribute("href", /^https:/);
  await expect(detail).toContainText("Apache-2.0");
  await detail.getByText("JSON", { exact: true }).click();
  await expect(detail.locator("pre")).toContainText(`"id": "${HOSPITAL}"`);

  await expect(detail.getByRole("button", { name: "Previous record" })).toBeDisabled();
  await detail.getByRole("button", { name: "Next record" }).click();
  await expect(page.getByRole("article")).toContainText("2 of 2,413");
  // At the end the button keeps the focus, and Escape still works.
  await page.getByRole("button", { name: "Previous record" }).click();
  await expect(detail).toContainText("1 of 2,413");
  await expect(detail.getByRole("button", { name: "Previous record" })).toBeDisabled();
  await page.keyboard.press("Escape");
  await expect(rows.first().getByRole("button")).toBeFocused();
});

test("a record has its own address, which opens it without a search", async ({ page, home }) => {
  await page.goto(`${home}#/place/${HOSPITAL}`);
  const detail = page.getByRole("article", { name: "Boulder Community Hospital" });
  await expect(detail).toBeVisible();
  await detail.getByText("Nearby", { exact: true }).click();
  await detail.getByRole("button", { name: "Zoom to" }).click();
  await expect(page).toHaveURL(/#\/place\/8e7f4543/);
  await page.reload();
  await expect(detail).toBeVisible();
  await detail.getByRole("button", { name: "Search the map" }).click();
  await expect(detail).toBeHidden();
  await page.goBack();
  await expect(detail).toBeVisible();
  await page.goForward();
  await expect(detail).toBeHidden();
});

test("a record can be starred, named and noted, and notes outlast a reload", async ({ page, home }) => {
  await page.goto(`${home}#/place/${HOSPITAL}`);
  const detail = page.getByRole("article", { name: "Boulder Community Hospital" });
  await detail.getByRole("button", { name: "Star" }).click();
  await detail.getByLabel("Your name for this record").fill("Where Ann was born");
  await detail.getByLabel("Note", { exact: true }).fill("Ask for <Zoë>");
  await page.reload();
  await expect(detail.getByRole("button", { name: "Starred" })).toHaveAttribute("aria-pressed", "true");
  await expect(detail.getByLabel("Note", { exact: true })).toHaveValue("Ask for <Zoë>");
  await detail.getByRole("button", { name: "Starred" }).click();
  await expect(detail.getByLabel("Note", { exact: true })).toBeHidden();
  await detail.getByRole("button", { name: "Undo" }).click();
  await expect(detail.getByLabel("Note", { exact: true })).toHaveValue("Ask for <Zoë>");

  await page.getByRole("button", { name: "Menu" }).click();
  await page.getByRole("button", { name: "Notes" }).click();
  const panel = page.getByRole("dialog", { name: "Notes" });
  await expect(panel.getByRole("link", { name: "Where Ann was born" })).toHaveAttribute(
    "href",
    new RegExp(`^#/place/${HOSPITAL}\\?at=40\\.`),
  );
  const download = page.waitForEvent("download");
  await panel.getByRole("button", { name: "Export as GPX" }).click();
  const file = await readFile(await (await download).path(), "utf8");
  expect(file).toContain("<name>Where Ann was born</name><desc>Ask for &lt;Zoë&gt;</desc>");
  await panel.getByRole("button", { name: "Remove Where Ann was born" }).click();
  await expect(panel.getByRole("status")).toContainText("Where Ann was born is no longer starred.");
  await expect(detail.getByRole("button", { name: "Star", exact: true })).toBeVisible();
  await panel.getByRole("button", { name: "Undo" }).click();
  await expect(panel.getByRole("link", { name: "Where Ann was born" })).toBeVisible();
});

test("an address without a record shows a message and a way to continue", async ({ page, home }) => {
  await page.goto(`${home}#/building/nobody-knows-me`);
  const main = page.getByRole("main");
  await expect(main.getByRole("heading", { name: "Record not found" })).toBeVisible();
  await expect(main).toContainText("Building: no record in this map data has the id nobody-knows-me");
  await main.getByRole("link", { name: "Search the map" }).click();
  await expect(main.getByRole("heading", { name: "Record not found" })).toBeHidden();
});

test("a search is copied as address, command, program and SQL", async ({ page, home, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.goto(home + BOULDER);
  await page.getByRole("button", { name: "Export" }).click();
  const copies = page.getByRole("region", { name: "Copy the search as" });
  const clipboard = () => page.evaluate(() => navigator.clipboard.readText());
  const copy = (name: string) => copies.getByRole("button", { name, exact: true }).click();
  const address = `${home}places?lat=40.0165&lng=-105.271&radius=1000&limit=25`;
  const neighbour = async () => (await copies.getByRole("button", { name: "curl", exact: true }).boundingBox())?.x;
  const before = await neighbour();
  await copy("API address");
  await expect(copies.getByText("Copied", { exact: true })).toBeAttached();
  expect(await neighbour(), "what says that it is copied moves nothing").toBe(before);
  await expect.poll(clipboard).toBe(address);
  await copy("curl");
  await expect.poll(clipboard).toBe(`curl '${address}'\n`);
  await copy("fetch");
  await expect.poll(clipboard).toContain(`await fetch("${address}")`);
  await copy("SQL");
  await expect.poll(clipboard).toContain("read_parquet('place/country=*/geohash=*/*.parquet'");
});
