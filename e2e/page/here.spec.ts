import { expect, test } from "../support/fixtures.ts";
import { BOULDER } from "../support/searches.ts";

test.use({ hasMap: true });

test("shows what is at a point and at a record", async ({ page, home, savesData }) => {
  await page.goto(home + BOULDER);
  await expect(page.getByRole("status")).toHaveText("2,413 places found");
  await page.getByRole("button", { name: /1 km around/ }).click();
  const where = page.getByRole("form", { name: "Where" });
  await expect(where.getByText("What changed here"), "the sample keeps no older release").toHaveCount(0);
  await where.getByText("What is here?").click();
  await expect(where).toContainText("1855 Goss St, Boulder, United States");
  await expect(where.getByRole("link", { name: "19th Street" })).toHaveAttribute("href", /^#\/segment\//);
  // Outlines of divisions are not read if the user saves data.
  await expect(where.getByText("Inside")).toHaveCount(savesData ? 0 : 1);
  await where.getByRole("link", { name: "1855 Goss St" }).click();
  const record = page.getByRole("article", { name: /1855 Goss St/ });
  await expect(record).toBeVisible();
  await record.getByText("Nearby", { exact: true }).click();
  await expect(record).toContainText("Nearest place");
});
