import { seriousFaults } from "../support/axe.ts";
import { expect, test } from "../support/fixtures.ts";

test.use({ hasMap: true });

test("results are coloured by a number or by categories, with a legend, and the link has the choice", async ({
  page,
  home,
}) => {
  const search = "#/buildings?lat=43.7384&lng=7.4246&radius=300&limit=100";
  await page.goto(home + search);
  await expect(page.getByRole("status").first()).toHaveText(/\d buildings found/);
  const choice = page.getByRole("combobox", { name: "Colour by" });
  await expect(choice).toHaveValue("");
  await choice.selectOption({ label: "Class" });
  await expect(page).toHaveURL(/&colour_by=class(&|$)/);
  const legend = page.getByRole("figure", { name: "Class" });
  const lines = legend.getByRole("listitem");
  await expect(lines.last()).toHaveText("Unknown");
  const colours = () =>
    legend.locator(".colour-sample").evaluateAll((all) => all.map((each) => getComputedStyle(each).backgroundColor));
  const light = await colours();
  expect(light.length).toBeGreaterThan(2);
  expect(new Set(light).size).toBe(light.length);
  expect(await seriousFaults(page)).toEqual([]);
  await page.emulateMedia({ colorScheme: "dark" });
  await expect.poll(colours).not.toEqual(light);

  // numbers, from a link
  await page.goto(`${home}#/buildings?lat=40.0165&lng=-105.271&radius=400&limit=100&colour_by=height`);
  const heights = page.getByRole("figure", { name: "Height" }).getByRole("listitem");
  await expect(heights.last()).toHaveText("Unknown");
  const count = await heights.count();
  expect(count).toBeGreaterThan(3);
  expect(count).toBeLessThan(9);
  const ranges = (await heights.allTextContents()).slice(0, -1).map((text) => text.split("–").map(Number));
  expect(ranges.flat()).toEqual(ranges.flat().toSorted((a, b) => a - b));

  // a column that does not suit the records is named, and stays the choice
  await page.goto(`${home}#/buildings?lat=40.0165&lng=-105.271&radius=400&limit=100&colour_by=theme`);
  await expect(page.getByRole("note")).toContainText("cannot be coloured by “");
  await expect(choice).toHaveValue("theme");
  await page.goBack();
  await expect(heights.last()).toHaveText("Unknown");

  // another search keeps the choice
  await page.getByRole("combobox", { name: "Order" }).selectOption({ index: 1 });
  await expect(page).toHaveURL(/sort=.*colour_by=height|colour_by=height.*sort=/);
  await choice.selectOption("");
  await expect(page).not.toHaveURL(/colour_by/);
  await expect(page.getByRole("figure", { name: "Height" })).toHaveCount(0);
});
