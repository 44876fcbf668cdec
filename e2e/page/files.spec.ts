import type { Page } from "@playwright/test";
import { expect, test } from "../support/fixtures.ts";
import { BOULDER } from "../support/searches.ts";

test.use({ hasMap: true });

const CSV = `name,lat,lng,note
<img src=x onerror=alert(1)>,40.0166,-105.2711,markup
Pearl Street Fountain,40.0180,-105.2790,water
Nowhere,91,0,not on the globe
Far Fountain,48.85,2.35,in Paris
`;

const panelOf = (page: Page) => page.getByRole("dialog", { name: "Your files" });

/** Drops a file in the middle of the page, as the browser tells of it. */
async function drop(page: Page, name: string, content: string): Promise<void> {
  await page.evaluate(
    ([fileName, text]) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([text], fileName));
      for (const type of ["dragover", "drop"]) {
        document.body.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
      }
    },
    [name, content] as const,
  );
}

test("a file that is dropped is searched beside the dataset, and can be removed", async ({ page, home }) => {
  await page.goto(home + BOULDER);
  await expect(page.getByRole("status").first()).toHaveText("2,413 places found");
  await drop(page, "fountains.csv", CSV);
  const panel = panelOf(page);
  await expect(panel).toContainText("3 rows · 1 row left out");
  await expect(panel).toContainText("2 matches");
  const rows = panel.getByRole("list", { name: "Matches in fountains.csv" }).getByRole("button");
  await expect(rows).toHaveText([/^<img src=x onerror=alert\(1\)>\s*\d+ m$/, /^Pearl Street Fountain\s*[\d.]+ m$/]);

  // the map shows all of the file, and goes to the row that is opened
  const scale = page.locator(".maplibregl-ctrl-scale");
  await expect(scale).toHaveText(/km/);
  await rows.last().click();
  await expect(scale).toHaveText(/^\d+\sm$/);
  await expect(panel.getByRole("definition")).toHaveText(["Pearl Street Fountain", "40.0180", "-105.2790", "water"]);
  await panel.getByRole("button", { name: "Back to the list" }).click();
  await expect(rows.last()).toBeFocused();

  // the same search by name, and by a drawn area
  await page.goto(`${home}${BOULDER}&name=fount`);
  await expect(rows).toHaveText([/Pearl Street Fountain/]);
  await page.goto(`${home}#/places?area=2,48,3,49&name=fountain`);
  await expect(rows).toHaveText([/Far Fountain/]);
  await page.keyboard.press("Escape");
  await expect(panel).toBeHidden();
  await page.getByRole("button", { name: "1 match in your file" }).click();

  await panel.getByRole("button", { name: "Remove fountains.csv" }).click();
  await expect(rows).toHaveCount(0);
  await expect(page.getByRole("button", { name: /in your file/ })).toHaveCount(0);
});

test("a map that comes after the file shows the file", async ({ page, context, home }) => {
  let release = () => {};
  const isReleased = new Promise<void>((resolve) => {
    release = resolve;
  });
  await context.route(/\/assets\/create-map-[^/]+\.js$/, async (route) => {
    await isReleased;
    await route.continue();
  });
  await page.goto(home + BOULDER);
  await expect(page.getByRole("status").first()).toHaveText("2,413 places found");
  await drop(page, "fountains.csv", CSV);
  await expect(panelOf(page)).toContainText("2 matches");
  release();
  const scale = page.locator(".maplibregl-ctrl-scale");
  await expect(scale).toHaveText(/\d{3}\skm/);
  // a move back to the search would take 700 ms
  await page.waitForTimeout(1500);
  await expect(scale).toHaveText(/\d{3}\skm/);
});

test("a file that cannot be taken says what came and what is allowed", async ({ page, home }) => {
  await page.goto(home);
  await page.getByRole("button", { name: "Menu" }).click();
  await page.getByRole("button", { name: "Your files" }).click();
  const choose = panelOf(page).locator("input[type=file]");
  await choose.setInputFiles({ name: "photo.png", mimeType: "image/png", buffer: Buffer.from("\x89PNG") });
  const alert = panelOf(page).getByRole("alert");
  await expect(alert).toContainText("It is .png, not a table of places.");
  await expect(alert).toContainText("Allowed: GeoJSON, CSV with columns lat and lng or WKT, GeoParquet");
  await choose.setInputFiles({ name: "a.csv", mimeType: "text/csv", buffer: Buffer.from("name,street\nPort,Quai\n") });
  await expect(alert).toContainText("No columns of coordinates. Found: name, street");
});
