import { readFile } from "node:fs/promises";
import Papa from "papaparse";
import { seriousFaults } from "../support/axe.ts";
import { expect, test } from "../support/fixtures.ts";
import { BOULDER } from "../support/searches.ts";

test("the list is a table, whose selection is compared, copied and exported", async ({ page, home, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.addInitScript(() => {
    for (const holder of [window, Window.prototype]) Reflect.deleteProperty(holder, "showSaveFilePicker");
  });
  await page.goto(home + BOULDER);
  await page.getByRole("button", { name: "Menu" }).click();
  await page.getByRole("button", { name: "Table", exact: true }).click();
  const panel = page.getByRole("dialog", { name: "Table" });
  const cells = (column: number) => panel.locator(`tbody td:nth-child(${column})`);
  await expect(panel.getByRole("row")).toHaveCount(26);

  await panel.getByRole("columnheader", { name: "Name" }).getByRole("button").click();
  const names = await cells(2).allTextContents();
  expect(names).toEqual(names.toSorted(new Intl.Collator("en", { numeric: true }).compare));
  await panel.getByText(/^Columns: 6$/).click();
  await panel.getByLabel("Confidence").check();
  await expect(panel.getByRole("columnheader")).toHaveCount(7);

  for (const index of [0, 3]) await cells(1).nth(index).getByRole("checkbox").check();
  await expect(panel.getByText("Selected: 2 records")).toBeVisible();
  await panel.getByRole("button", { name: "Compare" }).click();
  await expect(panel.getByRole("columnheader")).toHaveText([names[0] ?? "", names[3] ?? ""]);
  await panel.getByRole("button", { name: "Copy the selection" }).click();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied.split("\n").map((line) => line.split("\t")[0])).toEqual(["Name", names[0], names[3]]);

  await panel.getByRole("button", { name: "Export" }).click();
  const dialog = page.getByRole("dialog", { name: "Export to a file" });
  await expect(dialog.getByLabel("Selected: 2 records")).toBeChecked();
  await dialog.getByLabel("Column names in words").check();
  const download = page.waitForEvent("download", (file) => file.suggestedFilename().endsWith(".csv"));
  await dialog.getByRole("button", { name: "Save" }).click();
  const file = await download;
  expect(file.suggestedFilename()).toBe("Places-1-km-around-40.0165-105.271.csv");
  const { data } = Papa.parse<Record<string, string>>((await readFile(await file.path(), "utf8")).slice(1), {
    header: true,
    skipEmptyLines: true,
  });
  expect(data.map(({ Name }) => Name).sort()).toEqual([names[0], names[3]].sort());
});

test("filters for numbers count the rows without a value, and include them on request", async ({ page, home }) => {
  await page.goto(`${home}#/buildings?lat=40.0165&lng=-105.271&radius=300`);
  await expect(page.getByRole("status").first()).toHaveText("408 buildings found");
  await page.getByRole("button", { name: "Filters" }).click();
  const field = page.locator("div", { has: page.locator("> .range > label", { hasText: "Minimum height" }) });
  const unknownLine = field.locator("p.filter-unknown");
  await expect(unknownLine).toHaveText(/^\d+ of 408 have no value/);
  const unknown = Number(/^\d+/.exec((await unknownLine.textContent()) ?? "")?.[0]);
  const include = page.getByRole("checkbox", { name: "Include those without a value" });
  await expect(include).toHaveCount(0);
  await page.getByLabel(/^Minimum height/).fill("0");
  await page.getByLabel(/^Minimum height/).press("Tab");
  await expect(page.getByRole("status").first()).toHaveText(`${408 - unknown} buildings found`);

  await include.check();
  await expect(page.getByRole("status").first()).toHaveText("408 buildings found");
  await expect(page).toHaveURL(/min_height=0&include_unknown=min_height/);
  await expect(unknownLine).toHaveText(`${unknown} of 408 have no value.`);
  const chip = page.getByRole("button", { name: "Remove the filter Minimum height (m): 0 or no value" });
  await expect(chip).toBeVisible();
  expect(await seriousFaults(page)).toEqual([]);
  await page.reload();
  await expect(page.getByRole("status").first()).toHaveText("408 buildings found");
  await page.getByRole("button", { name: "Filters" }).click();
  await include.uncheck();
  await expect(page.getByRole("status").first()).toHaveText(`${408 - unknown} buildings found`);
  await include.check();
  await chip.click();
  await expect(page).not.toHaveURL(/include_unknown/);
});

test("a bar of the distribution sets both bounds of the height", async ({ page, home }) => {
  await page.goto(`${home}#/buildings?lat=40.0165&lng=-105.271&radius=300`);
  await expect(page.getByRole("status").first()).toHaveText("408 buildings found");
  await page.getByRole("button", { name: "Filters" }).click();
  await page.getByText("Distribution").first().click();
  const bars = page.locator(".histogram button");
  await expect(bars.first()).toBeVisible();
  const numbers = (await bars.evaluateAll((all) => all.map((bar) => bar.getAttribute("aria-label") ?? ""))).map(
    (label) => Number(label.split(": ")[1]),
  );
  const most = numbers.indexOf(Math.max(...numbers));
  await bars.nth(most).click();
  await expect(page.getByRole("status").first()).toHaveText(`${numbers[most]} buildings found`);
  await expect(page).toHaveURL(/min_height=[\d.]+&max_height=[\d.]+/);
  await expect(bars.nth(most)).toHaveAttribute("aria-pressed", "true");
  expect(await seriousFaults(page)).toEqual([]);
  await page.getByRole("combobox", { name: "Maximum height (m)" }).fill("0");
  await page.getByRole("combobox", { name: "Maximum height (m)" }).press("Tab");
  await expect(page.getByRole("button", { name: "Remove the filter Maximum height (m): 0" })).toBeVisible();
  await bars.nth(most).click();
  await bars.nth(most).click();
  await expect(page.getByRole("status").first()).toHaveText("408 buildings found");
});

test("the values of a list and the rows without one add up to all rows", async ({ page, home }) => {
  await page.goto(`${home}#/buildings?lat=40.0165&lng=-105.271&radius=300`);
  await expect(page.getByRole("status").first()).toHaveText("408 buildings found");
  await page.getByRole("button", { name: "Filters" }).click();
  const list = page.getByRole("group", { name: "Class" });
  await expect(list.locator(".filter-unknown")).toHaveText(/^\d+ of 408 have no value\.$/);
  const unknown = Number.parseInt((await list.locator(".filter-unknown").textContent()) ?? "", 10);
  const counts = await list.locator(".categories .quiet").allTextContents();
  const known = counts.reduce((sum, count) => sum + Number(count), 0);
  expect(known).toBeGreaterThan(0);
  expect(known + unknown).toBe(408);
});

test.describe("with a map", () => {
  test.use({ hasMap: true });

  test("a chip above the map searches a category, where the data is if nothing was chosen", async ({ page, home }) => {
    await page.goto(home);
    const chip = page.getByRole("button", { name: "Pharmacy", exact: true });
    await chip.click();
    await expect(page).toHaveURL(/#\/places\?lat=40.*categories=pharmacy/);
    await expect(page.getByRole("status").first()).toHaveText(/\d places? found/);
    await expect(chip).toHaveAttribute("aria-pressed", "true");
    await chip.click();
    await expect(page).not.toHaveURL(/categories=/);
  });
});
