/** Which panel of the menu is open, at most one, and how high the sheet of a phone stands. @module */
import { signal } from "@preact/signals";

/** In the order of the menu. */
export const PANEL_NAMES = ["export", "areas", "notes", "files", "console", "answer", "about"] as const;
export type PanelName = (typeof PANEL_NAMES)[number];

export const panel = signal<PanelName | undefined>(undefined);
/** Whether a panel stands beside the map and covers some of it; from when it is there, which is later than it is asked for. */
export const isBesideOpen = signal(false);

/** Opens a panel in place of the one that is open. */
export function openPanel(name: PanelName): void {
  panel.value = name;
}

/** What is written in the SQL console. */
export const consoleSql = signal("");

/** Opens the SQL console with the statement. */
export function openConsole(sql: string): void {
  consoleSql.value = sql;
  openPanel("console");
}

export function closePanel(): void {
  panel.value = undefined;
}

/** From the lowest. */
export const SHEET_STOPS = ["low", "half", "full"] as const;
type SheetStop = (typeof SHEET_STOPS)[number];

export const sheetStop = signal<SheetStop>("half");

/** Makes room for what was opened in the sheet. */
export function raiseSheet(): void {
  if (sheetStop.peek() === "low") sheetStop.value = "half";
}
