/**
 * Saved areas, as a person saves them.
 * @module
 */
import { expect, type Page } from "@playwright/test";

/** What says whether the dataset's host answers, and what is saved. */
export function badge(page: Page) {
  return page.getByRole("button", { name: /Open saved areas$/ });
}

/** Opens the panel of saved areas, unless it is open. */
export async function openAreas(page: Page): Promise<void> {
  const panel = page.getByRole("dialog", { name: "Saved areas" });
  if (!(await panel.isVisible())) await badge(page).click();
  await expect(panel).toBeVisible();
}

export interface Saving {
  /** Whether names are saved: not when left out; `as offered` leaves what the page has chosen. */
  readonly names?: boolean | "as offered";
}

/** Begins to save the place of the present search. */
export async function beginToSave(page: Page, { names = false }: Saving = {}): Promise<void> {
  await openAreas(page);
  await page.getByRole("button", { name: "Save an area" }).click();
  if (names !== "as offered") await page.getByRole("checkbox", { name: /^Names/ }).setChecked(names);
  await expect(page.getByText(/[kMG]B in \d+ files?;/)).toBeVisible();
  await page.getByRole("button", { name: "Save", exact: true }).click();
}

/** Saves the place of the present search, and waits until it is saved. */
export async function saveHere(page: Page, options: Saving = {}): Promise<void> {
  await beginToSave(page, options);
  await expect(savedItems(page)).toHaveCount(1);
}

/** Areas of the list that are saved. */
export function savedItems(page: Page) {
  return page
    .getByRole("list", { name: "Saved areas" })
    .getByRole("listitem")
    .filter({ hasText: /saved .+, release/ });
}
