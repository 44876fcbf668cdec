/** The pages of the API, which the panel "How this was answered" has. */
import { expect, type Page } from "@playwright/test";

export const pagesOf = (page: Page) => page.getByRole("region", { name: "Pages of results" });

/** Opens the panel with the pages. */
export async function openPages(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Menu" }).click();
  await page.getByRole("button", { name: "How this was answered" }).click();
  await expect(pagesOf(page)).toBeVisible();
}
