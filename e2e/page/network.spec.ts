import type { Page } from "@playwright/test";
import { badge, savedItems, saveHere } from "../support/areas.ts";
import { expect, test } from "../support/fixtures.ts";
import { DATASET_FOLDER, PAGE_FOLDER } from "../support/folders.ts";
import { BOULDER } from "../support/searches.ts";
import { serviceWorkerReady } from "../support/service-worker.ts";
import { startStaticServer } from "../support/static-server.ts";

// Without a network a page loads from its service worker.
test.use({ hasServiceWorker: true, hasMap: true });

const MONACO = "#/places?lat=43.7384&lng=7.4246&radius=500";
const SILENT = /^The map data’s host does not answer\./;

/** A browser that reports a network although there is none, as some do. */
async function believesInNetwork(page: Page): Promise<void> {
  await page.addInitScript(() => Object.defineProperty(Navigator.prototype, "onLine", { get: () => true }));
}

/** With data saving the page does not retry by itself, so this opens the saved areas. */
async function askHost(page: Page): Promise<void> {
  await badge(page).click();
  await expect(badge(page)).toHaveAccessibleName(/^Online\./);
  await page.getByRole("button", { name: "Close" }).click();
}

async function foundMonaco(page: Page): Promise<void> {
  await expect(page.getByRole("status")).toHaveText(/places found/);
}

test("a wrong report of a network is not trusted; the search is repeated when there is one", async ({
  page,
  context,
  home,
  host,
  savesData,
}) => {
  await believesInNetwork(page);
  await page.goto(home + BOULDER);
  await expect(page.getByRole("status")).toHaveText("2,413 places found");
  await expect(badge(page)).toHaveAccessibleName(/^Online\./);
  await serviceWorkerReady(page);
  await context.setOffline(true);
  await page.reload();
  await expect(page.getByRole("status")).toHaveText("2,413 places found");
  await expect(badge(page)).toHaveAccessibleName(SILENT);
  await page.goto(home + MONACO);
  await expect(page.getByRole("alert")).toContainText(
    "The map data’s host does not answer, and this part of the map data is not on this device: Places, 500 m around 43.7384",
  );
  // A page opened now shows the same, and also waits.
  await page.reload();
  await expect(page.getByRole("alert")).toContainText("The map data’s host does not answer");
  host.forget();
  await context.setOffline(false);
  if (savesData) await askHost(page);
  await foundMonaco(page);
  // The base map's files too, which failed before.
  const isGround = ({ path }: { readonly path: string }) => /\/(segment|building|land|water)\/country=/.test(path);
  await expect.poll(() => host.sent.some(isGround)).toBe(true);
  await expect(badge(page)).toHaveAccessibleName(/^Online\./);
});

test("an unreachable host is reported while the machine is online; failed requests are repeated when it is back", async ({
  page,
  host,
  home,
  savesData,
}) => {
  await page.goto(home + MONACO);
  await foundMonaco(page);
  await saveHere(page);
  await page.getByRole("button", { name: "Close" }).click();
  await host.close();
  await page.goto(home + BOULDER);
  const alert = page.getByRole("alert");
  await expect(alert).toContainText("The map data’s host does not answer");
  await expect(badge(page)).toHaveAccessibleName(SILENT);
  await alert.getByRole("button", { name: "Save this area when the network is back" }).click();
  // Local data is answered without a message about the host.
  await page.goto(home + MONACO);
  await foundMonaco(page);
  await expect(badge(page)).toHaveAccessibleName(SILENT);
  await page.goto(home + BOULDER);
  await expect(alert).toContainText("The map data’s host does not answer");

  const { pathname, port } = new URL(home);
  const folders = { [pathname]: PAGE_FOLDER, [`${pathname}dataset/`]: DATASET_FOLDER };
  const again = await startStaticServer({ folders, port: Number(port) });
  try {
    // With data saving the page does not retry by itself.
    if (savesData) {
      await expect(alert).toContainText("Check the connection, then try again.");
      expect(again.sent).toEqual([]);
      // The map may find the host first. Then the button disappears.
      await alert
        .getByRole("button", { name: "Try again" })
        .click({ timeout: 5000 })
        .catch(() => {});
    }
    await expect(page.getByRole("status")).toHaveText("2,413 places found");
    await expect(badge(page)).toHaveAccessibleName(/^Online\./);
    await badge(page).click();
    await expect(savedItems(page)).toHaveCount(2);
  } finally {
    await again.close();
  }
});

test("a host with errors is reachable but broken; refused requests are not repeated automatically", async ({
  page,
  host,
  home,
  savesData,
}) => {
  const find = host.lose(/manifest\.json$/);
  await page.goto(home + BOULDER);
  const alert = page.getByRole("alert");
  await expect(alert).toContainText("The map data could not be opened");
  await expect(alert).not.toContainText("connection");
  await expect(badge(page)).toHaveAccessibleName(/^The map data’s host answers with an error\./);
  find();
  if (savesData) await askHost(page);
  await expect(badge(page)).toHaveAccessibleName(/^Online\./);
  await alert.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByRole("status")).toHaveText("2,413 places found");
});

test("the badge shows that a host became unreachable after its last answer", async ({ page, host, home }) => {
  await page.goto(home + BOULDER);
  await expect(page.getByRole("status")).toHaveText("2,413 places found");
  await expect(badge(page)).toHaveAccessibleName(/^Online\./);
  await host.close();
  await badge(page).click();
  await expect(badge(page)).toHaveAccessibleName(SILENT);
});
