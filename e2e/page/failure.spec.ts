import { expect, test } from "../support/fixtures.ts";
import { BOULDER } from "../support/searches.ts";

test("a missing file is reported, and a retry works", async ({ page, home, host }) => {
  const find = host.lose(/\/place\/.*\.(pack|parquet)$/);
  await page.goto(home + BOULDER);
  const alert = page.getByRole("alert");
  await expect(alert).toContainText("Part of the map data could not be loaded");
  await expect(alert).toContainText(/\.(pack|parquet)/);
  find();
  await alert.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByRole("status")).toHaveText("2,413 places found");
});

test("a missing dataset is reported, and a retry opens it", async ({ page, home, host }) => {
  const find = host.lose(/manifest\.json$/);
  await page.goto(home);
  const alert = page.getByRole("alert");
  await expect(alert).toContainText("The map data could not be opened");
  find();
  await alert.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByRole("heading", { name: "Search the map" })).toBeVisible();
});

test("a page on a plain http: address says that it needs https:", async ({ browser, home, host }) => {
  const context = await browser.newContext();
  const { origin } = new URL(host.url);
  await context.route("http://maps.example/**", async (route) => {
    const url = route.request().url().replace("http://maps.example", origin);
    const forwarded = route.fetch({ url }).then((response) => route.fulfill({ response }));
    // the context may be closed meanwhile
    await forwarded.catch(() => {});
  });
  const page = await context.newPage();
  await page.goto(home.replace(origin, "http://maps.example") + BOULDER);
  await expect(page.getByRole("alert")).toContainText("only over https: or on this computer (localhost)");
  await context.close();
});

test("an engine whose program fails to load is reported, and a retry starts it", async ({ page, context, home }) => {
  const program = /page-worker-.*\.js$/;
  await context.route(program, (route) => route.abort());
  await page.goto(home + BOULDER);
  const alert = page.getByRole("alert");
  await expect(alert).toContainText("the search engine's program cannot be fetched");
  const retry = alert.getByRole("button", { name: "Try again" });
  await expect(retry).toBeVisible();
  await context.unroute(program);
  // The map may start it first. Then the button disappears.
  await retry.click({ timeout: 5000 }).catch(() => {});
  await expect(page.getByRole("status")).toHaveText("2,413 places found");
});

test.describe("without WebGL2", () => {
  test.use({ hasMap: false });

  test("the list works without the map, and shows the attribution", async ({ page, home }) => {
    await page.goto(home + BOULDER);
    await expect(page.getByText("This browser cannot draw the map")).toBeVisible();
    await expect(page.getByRole("main").getByRole("listitem")).toHaveCount(25);
    const [bar, list] = [await page.getByRole("banner").boundingBox(), await page.getByRole("main").boundingBox()];
    expect(list?.x, "the list is below the search box").toBe(bar?.x);
    const sources = page.getByRole("complementary", { name: "Attribution" });
    await sources.getByText(/^© OpenStreetMap contributors and \d+ more$/).click();
    await expect(sources.getByRole("link", { name: "© OpenStreetMap contributors" })).toBeInViewport();
    await expect(page.getByRole("main").getByRole("listitem").first()).toBeInViewport();
    await page.getByRole("link", { name: "Cairn" }).click();
    await expect(page.getByText("Cairn searches open map data")).toBeVisible();
    await expect(page.getByText("Dots on the map"), "there is no map").toBeHidden();
  });
});
