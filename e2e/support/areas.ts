/**
 * Saves areas as a user does.
 * @module
 */
import { expect, type Page } from "@playwright/test";

/** The badge with the state of the host and of saved areas. */
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
  /** Whether to save names. Default: false. `as offered` keeps the page's default. */
  readonly names?: boolean | "as offered";
}

/** Starts to save the area of the current search. */
export async function beginToSave(page: Page, { names = false }: Saving = {}): Promise<void> {
  await openAreas(page);
  await page.getByRole("button", { name: "Save an area" }).click();
  if (names !== "as offered") await page.getByRole("checkbox", { name: /^Names/ }).setChecked(names);
  await expect(page.getByText(/[kMG]B in \d+ files?;/)).toBeVisible();
  await page.getByRole("button", { name: "Save", exact: true }).click();
}

/** Saves the area of the current search, and waits until it is saved. */
export async function saveHere(page: Page, options: Saving = {}): Promise<void> {
  await beginToSave(page, options);
  await expect(savedItems(page)).toHaveCount(1);
}

/** Saved areas in the list. */
export function savedItems(page: Page) {
  return page
    .getByRole("list", { name: "Saved areas" })
    .getByRole("listitem")
    .filter({ hasText: /\d files?, saved / });
}
