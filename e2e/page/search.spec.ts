import { expect, test } from "../support/fixtures.ts";
import { BOULDER, MONACO_BUILDINGS } from "../support/searches.ts";

test("an example search shows results in order, with distance, exact count and address", async ({ page, home }) => {
  await page.goto(home);
  await page.getByRole("link", { name: /^Places · (Boulder|United States)/ }).click();
  await expect(page.getByRole("status")).toHaveText("1,924 places found");
  const results = page.getByRole("main").getByRole("listitem");
  await expect(results).toHaveCount(25);
  await expect(results.first()).toContainText("Rapt Media");
  await expect(results.first()).toContainText("23 m");
  await expect(page).toHaveURL(/#\/places\?lat=40\.0177&lng=-105\.2765&radius=800/);
});

test("the form searches for typed values, and reports invalid ones", async ({ page, home }) => {
  await page.goto(home);
  await page.getByRole("button", { name: "Type a point or choose a country" }).click();
  const submit = page.getByRole("button", { name: "Search here" });
  await submit.click();
  await expect(page.getByRole("alert")).toContainText(
    "Choose a point on the map, type coordinates, or choose a country.",
  );
  await page.getByLabel("Latitude").fill("95");
  await page.getByLabel("Longitude").fill("7.4206");
  await submit.click();
  await expect(page.getByRole("alert")).toContainText("Latitude goes from -90 to 90");
  await page.getByLabel("Latitude").fill("43.7347");
  await page.getByLabel("Longitude").press("Enter");
  await expect(page.getByRole("status")).toHaveText(/places found/);
  await expect(page).toHaveURL(/#\/places\?lat=43\.7347&lng=7\.4206&radius=1000/);
});

test("radius, kind and country change the search at once", async ({ page, home }) => {
  await page.goto(home + MONACO_BUILDINGS);
  await expect(page.getByRole("status")).toHaveText(/buildings found/);
  await page.getByRole("button", { name: /around .43\.7347/ }).click();
  await page.getByLabel("Metres").fill("50");
  await page.getByLabel("Metres").press("Tab");
  await expect(page).toHaveURL(/radius=50&/);
  await page.getByText("Land & water", { exact: true }).click();
  await expect(page).toHaveURL(/#\/base\?/);
  await expect(page.getByRole("status")).toHaveText(/features? found/);
  await page.getByLabel("Country").selectOption("FR");
  await expect(page).toHaveURL(/country=FR/);
});

test("the search box suggests towns, countries, places and streets while typing", async ({ page, home }) => {
  await page.goto(home);
  const box = page.getByRole("combobox", { name: "Search" });
  await box.pressSequentially("garoua boulai");
  await expect(page.getByRole("option", { name: /Garoua Boulaï/ })).toBeVisible();
  await box.fill("boulder");
  await page.getByRole("option", { name: /^Boulder United States/ }).click();
  await expect(page).toHaveURL(/#\/places\?lat=40\.0\d+&lng=-105\.2\d+&radius=\d+&limit/);
  await expect(page.getByRole("status")).toHaveText(/places found/);
  await expect(page.getByRole("button", { name: /around Boulder/ })).toBeVisible();

  await box.fill("pearl st");
  await expect(page.getByRole("option", { name: "Pearl Street Street" })).toBeVisible();
  await box.fill("community hosp");
  await page.getByRole("option", { name: /^Boulder Community Hospital .*6685/ }).click();
  await expect(page.getByRole("article", { name: "Boulder Community Hospital" })).toBeVisible();

  await box.fill("monaco");
  await page.getByRole("option", { name: /Monaco Country/ }).click();
  await expect(page).toHaveURL(/#\/places\?country=MC&/);
});

test("the search box accepts coordinates, ids and any text", async ({ page, home }) => {
  await page.goto(home);
  const box = page.getByRole("combobox", { name: "Search" });
  await box.fill("40.0165, -105.271");
  await box.press("Enter");
  await expect(page.getByRole("status")).toHaveText("2,413 places found");
  await box.fill("coffee");
  await box.press("Enter");
  await expect(page).toHaveURL(/categories=coffee_shop/);
  await expect(page.getByRole("status")).not.toHaveText("2,413 places found");
  await expect(page.getByRole("main").getByRole("listitem").first()).toContainText(/coffee/i);
  await page.getByRole("button", { name: "Clear the search box" }).click();
  await expect(page.getByRole("status")).toHaveText("2,413 places found");
  await box.fill("zzqqzz");
  await box.press("Enter");
  await expect(page.getByRole("main")).toContainText("Try a larger radius, or another point on the map.");
  await page.getByRole("button", { name: "Clear all filters" }).click();
  await expect(page.getByRole("status")).toHaveText("2,413 places found");
  await box.fill("a");
  await box.press("Enter");
  await expect(page.getByRole("alert")).toHaveText("At least two letters or digits.");

  await box.fill("00000000-67ae-41fd-81bd-a4aeb962eb5e");
  await box.press("Enter");
  await expect(page.getByRole("alert")).toHaveText("No record has this id.");
  await box.fill("8e7f4543-67ae-41fd-81bd-a4aeb962eb5e");
  await box.press("Enter");
  await expect(page.getByRole("article", { name: "Boulder Community Hospital" })).toBeVisible();
});

test("filters have counts, are part of the address, and can be removed", async ({ page, home }) => {
  await page.goto(home + BOULDER);
  await expect(page.getByRole("status")).toHaveText("2,413 places found");
  await page.getByRole("button", { name: "Filters" }).click();
  await page.getByLabel("Find in this list").fill("dentist");
  const dentists = page.getByRole("checkbox", { name: /^Dentist \d+$/ });
  const [, count] = /(\d+)$/.exec((await dentists.locator("..").textContent()) ?? "") ?? [];
  await dentists.check();
  await expect(page).toHaveURL(/categories=dentist/);
  await expect(page.getByRole("status")).toHaveText(`${count} places found`);
  await page.getByText("Phone", { exact: true }).click();
  await expect(page).toHaveURL(/categories=dentist&has_contact=phone/);
  await page.goBack();
  await expect(page).not.toHaveURL(/has_contact/);
  await page.getByRole("button", { name: "Remove the filter Categories: Dentist" }).click();
  await expect(page.getByRole("status")).toHaveText("2,413 places found");
  // A branch finds the number that it shows, including its subcategories.
  await page.getByText("Category tree", { exact: true }).click();
  const tree = page.getByRole("group", { name: "Category tree" });
  await tree.getByLabel("Food and drink", { exact: true }).press("Enter");
  const branch = tree.getByRole("checkbox", { name: /^Restaurant \d+$/ });
  const [places] = /\d+$/.exec((await branch.locator("..").textContent()) ?? "") ?? [];
  await branch.check();
  await expect(page).toHaveURL(/taxonomy=restaurant/);
  await expect(page.getByRole("status")).toHaveText(`${places} places found`);
  await expect(tree.getByRole("checkbox", { name: /^Food and drink/ })).toBeChecked({ indeterminate: true });
  await tree.getByRole("textbox").fill("pizza");
  await expect(tree.getByRole("checkbox", { name: /^Pizza restaurant/ })).toBeDisabled();
  await expect(tree.getByRole("checkbox", { name: /^Food and drink/ })).toBeVisible();
  await expect(tree.getByRole("checkbox", { name: /^Health care/ })).toHaveCount(0);
  await tree.getByRole("textbox").fill("");
  await page.getByText("Phone", { exact: true }).click();
  await page.getByRole("button", { name: "Clear all filters" }).click();
  await expect(page.getByRole("status")).toHaveText("2,413 places found");
  await page.getByText("Roads & rail", { exact: true }).click();
  const footways = page.getByRole("checkbox", { name: /^Footway \d+$/ });
  const [ways] = /\d+$/.exec((await footways.locator("..").textContent()) ?? "") ?? [];
  await footways.check();
  await expect(page.getByRole("status")).toHaveText(`${ways} segments found`);
});

test("invalid parts of an address are ignored and reported", async ({ page, home }) => {
  await page.goto(`${home}${BOULDER}&min_confidence=7&colour=red`);
  await expect(page.getByRole("alert")).toContainText("min_confidence=7, colour=red");
  await expect(page.getByRole("status")).toHaveText("2,413 places found");
  await page.goto(`${home}${BOULDER}&page=998`);
  await expect(page.getByRole("main")).toContainText("2,401–2,413 of 2,413");
  await expect(page).toHaveURL(/&page=96$/);
  await expect(page.getByRole("alert")).toContainText("page=998");
});

test("the location is requested with a click, and an error is shown", async ({ page, home, context }) => {
  await page.goto(home);
  const button = page.getByRole("button", { name: "Search around my location" });
  await expect(page.getByRole("main").getByRole("link", { name: "Boulder Places: 3,545" })).toBeVisible();
  await button.click();
  await expect(page.getByRole("alert")).toContainText("does not share your location");
  await page.goto(home + MONACO_BUILDINGS);
  await expect(page.getByRole("status")).toHaveText(/buildings found/);
  await expect(page.getByRole("alert")).toHaveCount(0);
  await page.goto(home);
  await context.grantPermissions(["geolocation"]);
  await context.setGeolocation({ latitude: 40.0165, longitude: -105.271 });
  await button.click();
  await expect(page.getByRole("status")).toHaveText("2,413 places found");
  await expect(page.getByRole("button", { name: "1 km around your location" })).toBeVisible();
  expect(page.url(), "an address may be handed on").not.toContain("around=");
});

test("a whole country needs no circle", async ({ page, home }) => {
  await page.goto(home);
  await page.getByRole("link", { name: /^Regions & towns · Japan/ }).click();
  await expect(page.getByRole("status")).toHaveText(/regions and towns found/);
  await expect(page.getByRole("main").getByRole("listitem").first()).not.toContainText(" km");
});

test("the map shows the dataset's attribution", async ({ page, home }) => {
  await page.goto(home);
  await page.getByText(/^© OpenStreetMap contributors and \d+ more$/).click();
  await expect(page.getByRole("link", { name: "© OpenStreetMap contributors" })).toBeVisible();
  await expect(page.getByRole("complementary", { name: "Attribution" })).toContainText("Natural Earth");
});

test("nothing scrolls sideways", async ({ page, home }) => {
  await page.goto(home + BOULDER);
  await expect(page.getByRole("status")).toHaveText("2,413 places found");
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(overflow).toBeLessThanOrEqual(0);
});

test("on a low screen the page has room for a result and its detail", async ({ page, home }) => {
  await page.setViewportSize({ width: 640, height: 400 });
  await page.goto(home + BOULDER);
  await page.getByRole("main").getByRole("listitem").nth(5).getByRole("button").click();
  await expect(page.getByRole("article").getByRole("heading").first()).toBeInViewport();
});
