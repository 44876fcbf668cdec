/** How high the sheet of a phone stands. @module */
import { signal } from "@preact/signals";

/** From the lowest. */
export const SHEET_STOPS = ["low", "half", "full"] as const;
type SheetStop = (typeof SHEET_STOPS)[number];

export const sheetStop = signal<SheetStop>("half");

/** Makes room for what was opened in the sheet. */
export function raiseSheet(): void {
  if (sheetStop.peek() === "low") sheetStop.value = "half";
}
