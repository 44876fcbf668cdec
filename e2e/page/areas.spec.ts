import { badge, beginToSave, openAreas, savedItems, saveHere } from "../support/areas.ts";
import { expect, test } from "../support/fixtures.ts";
import { BOULDER } from "../support/searches.ts";
import { serviceWorkerReady } from "../support/service-worker.ts";

// Without a network a page loads from its service worker.
test.use({ hasServiceWorker: true });

const MONACO = "#/places?lat=43.7384&lng=7.4246&radius=500";

test("a saved area answers without a network; outside of it the page shows what is missing", async ({
  page,
  context,
  home,
}) => {
  await page.addInitScript(() => {
    // As in Firefox, which asks the user, who may never answer.
    navigator.storage.persist = () => new Promise(() => Object.assign(window, { asksToPersist: true }));
  });
  await page.goto(home + MONACO);
  await expect(page.getByRole("status")).toHaveText(/places found/);
  const found = await page.getByRole("status").textContent();
  await saveHere(page);
  expect(await page.evaluate(() => "asksToPersist" in window)).toBe(true);
  await expect(page.getByText("The browser may delete saved areas")).toBeVisible();
  await serviceWorkerReady(page);

  await context.setOffline(true);
  await page.reload();
  await expect(page.getByRole("status")).toHaveText(found ?? "");
  // Some browsers forget with a reload that there is no network.
  await expect(badge(page)).toHaveAccessibleName(/^(No network|The map data’s host does not answer)\. 1 area saved/);
  // A new search, answered from the saved area.
  await page.goto(`${home}#/buildings?lat=43.7390&lng=7.4250&radius=200`);
  await expect(page.getByRole("status")).toHaveText(/buildings found/);
  // An address with its unit, without the words of the area.
  await page.getByRole("combobox", { name: "Search" }).fill("25 Avenue de la Costa, Apt 4");
  await expect(page.getByRole("option", { name: /^25 Avenue de la Costa/ }).first()).toBeVisible();

  await page.goto(home + BOULDER);
  const alert = page.getByRole("alert");
  await expect(alert).toContainText("this part of the map data is not on this device: Places, 1 km around 40.0165");
  await alert.getByRole("button", { name: "Save this area when the network is back" }).click();
  await context.setOffline(false);
  await openAreas(page);
  await expect(savedItems(page)).toHaveCount(2);
  await savedItems(page).first().getByRole("button", { name: "Remove" }).click();
  const undo = page.getByRole("button", { name: "Undo" });
  await expect(undo).toBeFocused();
  await undo.press("Enter");
  await expect(savedItems(page).first().getByRole("button", { name: "Remove" })).toBeFocused();
  await expect(savedItems(page)).toHaveCount(2);
  await savedItems(page).first().getByRole("button", { name: "Remove" }).click();
  await expect(undo).toBeFocused();
  // Leaving the list removes it.
  await page.keyboard.press("Escape");
  await openAreas(page);
  await expect(savedItems(page)).toHaveCount(1);
});

test("a saved area can be renamed, and its saving paused and resumed", async ({ page, context, home }) => {
  await page.goto(home + MONACO);
  await expect(page.getByRole("status")).toHaveText(/places found/);
  let go = () => {};
  const held = new Promise<void>((resolve) => {
    go = resolve;
  });
  // The base map's buildings are not needed for the list.
  await context.route(/\/building\/.*\.(pack|parquet)$/, async (route) => {
    await held;
    await route.continue().catch(() => {});
  });
  await beginToSave(page);
  await page.getByRole("button", { name: "Pause" }).click();
  const item = page.getByRole("list", { name: "Saved areas" }).getByRole("listitem");
  await expect(item).toContainText("Paused. Downloaded data is kept.");
  go();
  await item.getByRole("button", { name: "Rename" }).click();
  await item.getByRole("textbox", { name: "Name" }).fill("My harbour");
  await item.getByRole("textbox", { name: "Name" }).press("Enter");
  await expect(item.getByRole("heading", { name: "My harbour" })).toBeVisible();
  await item.getByRole("button", { name: "Continue" }).click();
  await expect(savedItems(page)).toHaveCount(1);
  await page.reload();
  await openAreas(page);
  await expect(savedItems(page).getByRole("heading", { name: "My harbour" })).toBeVisible();
});

test("saving an area from a file can be cancelled, and waits while another tab changes areas", async ({
  page,
  home,
}) => {
  await page.addInitScript(() => Object.assign(window, { showSaveFilePicker: undefined }));
  await page.goto(home + MONACO);
  await saveHere(page);
  const downloading = page.waitForEvent("download");
  await savedItems(page).getByRole("button", { name: "Save as a file" }).click();
  const file = await (await downloading).path();
  await savedItems(page).getByRole("button", { name: "Remove" }).click();
  await page.keyboard.press("Escape");
  await openAreas(page);
  await expect(page.getByText("No saved areas.")).toBeVisible();

  // Another tab during a change.
  await page.evaluate(async () => {
    const name = `cairn-areas ${new URL("dataset/", document.baseURI).href}`;
    // The removal may still have the lock.
    await new Promise<void>((granted) => {
      void navigator.locks.request(name, () => {
        granted();
        return new Promise((end) => Object.assign(window, { end }));
      });
    });
  });
  const take = () => page.getByLabel("Open a file").last().setInputFiles(file);
  await take();
  const stop = page.getByRole("button", { name: "Cancel" });
  await stop.click();
  await expect(stop).toBeHidden();
  await page.evaluate(() => (window as Window & { end?: () => void }).end?.());
  await take();
  await expect(page.getByText("was imported")).toBeVisible();
  await expect(page.getByRole("list", { name: "Saved areas" }).getByRole("listitem")).toHaveCount(1);
  await expect(savedItems(page)).toHaveCount(1);
});

test("an area that another tab removes during its download is gone in both tabs", async ({ page, context, home }) => {
  await page.goto(home + MONACO);
  let goOn = () => {};
  const isHeld = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  await page.route(/\/dataset\/address\/.*\.(pack|parquet)$/, async (route) => {
    await isHeld;
    await route.continue().catch(() => {});
  });
  await beginToSave(page);
  await expect(page.getByRole("button", { name: "Cancel" })).toBeVisible();
  const other = await context.newPage();
  await other.goto(home + MONACO);
  await openAreas(other);
  await expect(other.getByText("Another tab is saving this area.")).toBeVisible();
  await other.getByRole("button", { name: "Remove" }).click();
  await other.keyboard.press("Escape");
  await openAreas(other);
  await expect(other.getByText("No saved areas.")).toBeVisible();
  goOn();
  await expect(page.getByText("No saved areas.")).toBeVisible();
  const kept = () =>
    page.evaluate(
      async () =>
        (await (await caches.open("cairn-dataset")).keys()).filter(({ url }) => /address.*(pack|parquet)/.test(url))
          .length,
    );
  await expect.poll(kept).toBe(0);
});

test("storage that does not respond is reported, blocks no search, and works when it responds", async ({
  page,
  context,
  home,
}) => {
  const other = await context.newPage();
  await other.goto(`${home}cairn.webmanifest`);
  // A tab keeps its connection while another deletes the database, so opening it waits.
  await other.evaluate(async () => {
    const opening = indexedDB.open("cairn", 1);
    await new Promise((resolve) => opening.addEventListener("success", resolve));
    Object.assign(window, { unresponsive: opening.result });
    await new Promise((resolve) => indexedDB.deleteDatabase("cairn").addEventListener("blocked", resolve));
  });
  await page.goto(home + MONACO);
  await expect(page.getByRole("status")).toHaveText(/places found/);
  await openAreas(page);
  await expect(page.getByRole("alert")).toHaveText("Saved areas cannot be read: IndexedDB did not open within 3 s");
  await other.close();
  await saveHere(page);
  await expect(page.getByRole("alert")).toHaveCount(0);
});
