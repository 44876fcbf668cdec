import { seriousFaults } from "../support/axe.ts";
import { expect, test } from "../support/fixtures.ts";
import { BOULDER, MONACO_BUILDINGS } from "../support/searches.ts";

test.use({ hasMap: true });

for (const colorScheme of ["light", "dark"] as const) {
  test.describe(colorScheme, () => {
    test.use({ colorScheme });

    test("axe finds no serious problem in any state", async ({ page, home, host }) => {
      await page.goto(home);
      await expect(page.getByRole("heading", { name: "Search the map" })).toBeVisible();
      expect(await seriousFaults(page), "at the start").toEqual([]);

      await page.goto(home + BOULDER);
      const first = page.getByRole("button", { name: /Boulder Community Hospital/ });
      await expect(first).toBeVisible();
      expect(await seriousFaults(page), "with results").toEqual([]);

      await page.getByRole("combobox", { name: "Search" }).fill("boul");
      await expect(page.getByRole("listbox", { name: "Suggestions" }).getByRole("option").first()).toBeVisible();
      expect(await seriousFaults(page), "with suggestions").toEqual([]);
      await page.keyboard.press("Escape");
      await page.getByRole("button", { name: "Filters" }).click();
      await expect(page.getByLabel("Find in this list")).toBeVisible();
      await page.getByText("Category tree", { exact: true }).click();
      await page.getByLabel("Food and drink", { exact: true }).click();
      await expect(page.getByRole("checkbox", { name: /^Restaurant/ }).last()).toBeVisible();
      expect(await seriousFaults(page), "with filters").toEqual([]);
      await page.getByRole("button", { name: "Filters" }).click();
      await page.getByRole("button", { name: "Menu" }).click();
      expect(await seriousFaults(page), "with the menu open").toEqual([]);
      await page.keyboard.press("Escape");

      await first.click();
      await expect(page.getByRole("article")).toBeVisible();
      await page.getByText("Data", { exact: true }).click();
      await page.getByText("Sources", { exact: true }).click();
      expect(await seriousFaults(page), "with a record open").toEqual([]);

      await page.getByRole("button", { name: "Back to the list" }).click();
      await page.getByRole("button", { name: "Export" }).click();
      await expect(page.getByRole("dialog", { name: "Export to a file" })).toBeVisible();
      expect(await seriousFaults(page), "with the export open").toEqual([]);
      await page.keyboard.press("Escape");
      for (const name of ["How this was answered", "Saved areas"]) {
        await page.getByRole("button", { name: "Menu" }).click();
        await page.getByRole("button", { name, exact: true }).click();
        const panel = page.getByRole("dialog", { name });
        await expect(panel).toBeVisible();
        expect(await seriousFaults(page), `with ${name} open`).toEqual([]);
        await panel.getByRole("button", { name: "Close" }).click();
      }

      host.lose(/\/building\/.*\.(pack|parquet)$/);
      await page.goto(home + MONACO_BUILDINGS);
      await expect(page.getByRole("alert")).toBeVisible();
      expect(await seriousFaults(page), "with a problem").toEqual([]);
    });

    test("axe finds no serious problem in the SQL console and with own files", async ({ page, home }) => {
      test.slow();
      await page.goto(home + BOULDER);
      await expect(page.getByRole("status")).toHaveText("2,413 places found");
      await page.getByRole("button", { name: "Menu" }).click();
      await page.getByRole("button", { name: "SQL console" }).click();
      await page.getByRole("button", { name: "First rows" }).click();
      await expect(page.getByRole("dialog").getByRole("table")).toBeVisible();
      expect(await seriousFaults(page), "with the SQL console open").toEqual([]);
      await page.keyboard.press("Escape");
      await page.getByRole("button", { name: "Menu" }).click();
      await page.getByRole("button", { name: "Your files" }).click();
      const choose = page.getByRole("dialog").locator("input[type=file]");
      const point = '{"type":"Point","coordinates":[-105.271,40.0165]}';
      await choose.setInputFiles([
        { name: "point.geojson", mimeType: "application/geo+json", buffer: Buffer.from(point) },
        { name: "photo.png", mimeType: "image/png", buffer: Buffer.from("") },
      ]);
      await expect(page.getByRole("dialog").getByRole("button", { name: "Row 1" })).toBeVisible();
      expect(await seriousFaults(page), "with a file of one's own").toEqual([]);
      await page.keyboard.press("Escape");
    });
  });
}
