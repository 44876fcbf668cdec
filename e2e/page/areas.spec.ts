import { openAreas, savedItems, saveHere } from "../support/areas.ts";
import { expect, test } from "../support/fixtures.ts";
import { BOULDER } from "../support/searches.ts";
import { serviceWorkerReady } from "../support/service-worker.ts";

const MONACO = "#/places?lat=43.7384&lng=7.4246&radius=500";

test("a saved area answers without a network; beyond it the page says what is missing", async ({
  page,
  context,
  home,
}) => {
  await page.addInitScript(() => {
    const { storage } = navigator;
    storage.persist = async () => Boolean(Object.assign(window, { asksToPersist: true }));
  });
  await page.goto(home + MONACO);
  await expect(page.getByRole("status")).toHaveText(/places found/);
  const found = await page.getByRole("status").textContent();
  await saveHere(page);
  expect(await page.evaluate(() => "asksToPersist" in window)).toBe(true);
  await serviceWorkerReady(page);

  await context.setOffline(true);
  await page.reload();
  await expect(page.getByRole("status")).toHaveText(found ?? "");
  await expect(page.getByRole("button", { name: /^No network\. 1 area saved/ })).toBeVisible();
  // Never searched before: what answers is what was saved.
  await page.goto(`${home}#/buildings?lat=43.7390&lng=7.4250&radius=200`);
  await expect(page.getByRole("status")).toHaveText(/buildings found/);

  await page.goto(home + BOULDER);
  const alert = page.getByRole("alert");
  await expect(alert).toContainText("this part of the map data is not on this device: Places, 1 km around 40.0165");
  await alert.getByRole("button", { name: "Save this area when it can be had" }).click();
  await context.setOffline(false);
  await openAreas(page);
  await expect(savedItems(page)).toHaveCount(2);
  await savedItems(page).first().getByRole("button", { name: "Remove" }).click();
  await expect(savedItems(page)).toHaveCount(1);
});
