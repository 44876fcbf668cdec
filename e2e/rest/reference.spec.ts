import { seriousFaults } from "../support/axe.ts";
import { expect, test } from "../support/fixtures.ts";
import { ask } from "../support/rest.ts";

test.use({ hasMap: false });

test("the reference lists every path, and sends a request, under its own policy", async ({ page, home }) => {
  await page.goto(`${home}docs/`);
  const operations = page.locator(".opblock");
  await expect(operations.first()).toBeVisible();
  const { paths } = JSON.parse((await ask(page, "../openapi.json")).body) as { paths: Record<string, object> };
  const methods = Object.values(paths).flatMap((path) => Object.keys(path).filter((key) => /^(get|post)$/.test(key)));
  await expect(operations).toHaveCount(methods.length);
  const places = page.locator(".opblock-get").filter({ has: page.getByText("/places", { exact: true }) });
  await places.getByText("/places", { exact: true }).click();
  await places.getByRole("button", { name: "Execute" }).click();
  const answer = places.locator(".live-responses-table");
  await expect(answer).toContainText("pagination-count: ");
  await expect(answer).toContainText('"type": "Feature"');
  const longitude = places.getByPlaceholder("lng", { exact: true });
  const example = await longitude.inputValue();
  await longitude.fill("");
  await places.getByRole("button", { name: "Execute" }).click();
  await expect(answer).toContainText("Bad Request");
  await longitude.fill(example);
  // An emptied field is not sent.
  const country = places.getByPlaceholder("country", { exact: true });
  await country.fill("MC");
  await country.fill("");
  await places.getByRole("button", { name: "Execute" }).click();
  await expect(answer).toContainText("pagination-count: ");

  // Four times its size on a wide screen.
  await page.setViewportSize({ width: 320, height: 256 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
  const field = await country.boundingBox();
  expect(field?.width).toBeGreaterThan(200);
  expect((field?.x ?? 0) + (field?.width ?? 0)).toBeLessThanOrEqual(320);
});

for (const colorScheme of ["light", "dark"] as const) {
  test.describe(colorScheme, () => {
    test.use({ colorScheme });

    test("axe finds no serious problem in the reference, which has the page's colours and a link back", async ({
      page,
      home,
    }) => {
      await page.goto(`${home}docs/`);
      await expect(page.locator(".opblock").first()).toBeVisible();
      expect(await seriousFaults(page), "with all paths closed").toEqual([]);
      const places = page.locator(".opblock-get").filter({ has: page.getByText("/places", { exact: true }) });
      await places.locator(".opblock-summary-control").click();
      await places.getByRole("button", { name: "Execute" }).click();
      await expect(places.locator(".live-responses-table")).toContainText('"type": "Feature"');
      expect(await seriousFaults(page), "with an answer").toEqual([]);
      await expect(page.locator(".authorization__btn, .authorize")).toHaveCount(0);
      const background = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
      expect(background).toBe(colorScheme === "dark" ? "rgb(28, 32, 34)" : "rgb(255, 255, 255)");
      await page.getByRole("link", { name: "Back to the map" }).click();
      await expect(page).toHaveURL(home);
    });
  });
}
