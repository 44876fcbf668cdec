import { expect, test } from "../support/fixtures.ts";

test("the cost of a search is shown in numbers and as a picture", async ({ page, home }) => {
  await page.goto(`${home}#/places?lat=40.0176&lng=-105.2797&radius=1000`);
  await expect(page.getByRole("status").first()).toContainText("found");
  const panel = page.getByRole("dialog", { name: "How this was answered" });
  const openPanel = async () => {
    await page.getByRole("button", { name: "Menu" }).click();
    await page.getByRole("button", { name: "How this was answered" }).click();
  };
  await openPanel();
  await expect(panel).toContainText("From the network");
  const rows = panel.getByRole("row");
  for (const kind of ["Points", "Records"]) {
    await expect(rows.filter({ hasText: kind }).first()).toContainText("network");
  }
  await expect(rows.filter({ hasText: "Manifest" })).toHaveCount(1);
  await panel.getByRole("checkbox").check();
  await expect(panel.getByRole("checkbox")).toBeChecked();

  // Another page of the same circle: its rows are in memory.
  await panel.getByRole("button", { name: "Next page" }).click();
  await expect(panel).toContainText("From memory");
  await expect(rows.filter({ hasText: "Manifest" })).toContainText("memory");
});
