import { seriousFaults } from "../support/axe.ts";
import { expect, test } from "../support/fixtures.ts";

test.use({ hasMap: true });

test("buildings are shown as solids with a legend, in both looks, and flat again", async ({ page, home }) => {
  await page.goto(`${home}#/buildings?lat=43.7384&lng=7.4246&radius=300`);
  await expect(page.getByRole("status").first()).toHaveText(/\d buildings found/);
  const button = page.getByRole("button", { name: "Buildings in 3D" });
  await expect(button).toHaveAttribute("aria-pressed", "false");
  await button.click();
  await expect(button).toHaveAttribute("aria-pressed", "true");
  const legend = page.getByRole("figure", { name: "Height" });
  await expect(legend.getByRole("listitem")).toHaveText(["0–5 m", "5–10 m", "10–20 m", "20–40 m", "≥ 40 m"]);
  const colours = () =>
    legend.locator(".height-colour").evaluateAll((all) => all.map((each) => getComputedStyle(each).backgroundColor));
  const light = await colours();
  expect(new Set(light).size).toBe(5);
  expect(await seriousFaults(page)).toEqual([]);
  await page.emulateMedia({ colorScheme: "dark" });
  await expect.poll(colours).not.toEqual(light);
  await button.click();
  await expect(legend).toHaveCount(0);
  await expect(button).toHaveAttribute("aria-pressed", "false");
});

test("a link has the tilt and the turn of the map, and shows both again", async ({ page, home, context }) => {
  const search = "#/buildings?lat=43.7384&lng=7.4246&radius=300";
  await page.goto(home + search);
  await page.getByRole("button", { name: "Buildings in 3D" }).click();
  await expect(page).toHaveURL(/&view=[\d.]+\/43\.\d+\/7\.\d+\/0\/55$/);
  const other = await context.newPage();
  await other.goto(`${home + search}&view=16.00/43.7384/7.4246/40/30`);
  const button = other.getByRole("button", { name: "Buildings in 3D" });
  await expect(button).toHaveAttribute("aria-pressed", "true");
  await expect(other.getByRole("figure", { name: "Height" })).toBeVisible();
  await other.locator("canvas.maplibregl-canvas").focus();
  await other.keyboard.press("Shift+ArrowRight");
  await expect(other).toHaveURL(/view=16\.00\/[\d.]+\/[\d.]+\/(?!40)-?\d+\/30$/);
  await button.click();
  await expect(other).toHaveURL(/view=16\.00\/[\d.]+\/[\d.]+$/);
});
