import { expect, test } from "../support/fixtures.ts";
import { BOULDER } from "../support/searches.ts";
import { serviceWorkerReady } from "../support/service-worker.ts";

test("what was seen is there again when the host is gone", async ({ page, home, host }) => {
  await page.goto(home + BOULDER);
  await expect(page.getByRole("status")).toHaveText("2,413 places found");
  await serviceWorkerReady(page);
  await host.close();
  await page.reload();
  await expect(page.getByRole("status")).toHaveText("2,413 places found");
  await expect(page.getByRole("main").getByRole("listitem")).toHaveCount(25);
  const total = await page.evaluate(async () => {
    const response = await fetch("places?lat=40.0165&lng=-105.271&radius=500");
    return [response.status, Number(response.headers.get("Pagination-Count")) > 0];
  });
  expect(total).toEqual([200, true]);
});
