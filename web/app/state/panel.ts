/** The open panel of the menu, at most one, and the height of the sheet on a phone. @module */
import { signal } from "@preact/signals";
import { readStored, store } from "./stored.ts";

export const PANEL_NAMES = ["table", "export", "areas", "notes", "files", "console", "answer", "about"] as const;
export type PanelName = (typeof PANEL_NAMES)[number];

export const panel = signal<PanelName | undefined>(undefined);
/** Whether a panel next to the map covers part of it; set when it is rendered, after it was requested. */
export const isSidePanelOpen = signal(false);

/** Opens a panel instead of the open one. */
export function openPanel(name: PanelName): void {
  panel.value = name;
}

export const consoleSql = signal("");

/** Opens the SQL console with the statement. */
export function openConsole(sql: string): void {
  consoleSql.value = sql;
  openPanel("console");
}

/** Closes the panel, unless another one was opened meanwhile: a browser reports the end of a dialog later. */
export function closePanel(name: PanelName): void {
  if (panel.peek() === name) panel.value = undefined;
}

/** Whether only the search box and the map are shown. */
export const isPanelFolded = signal(false);

export const SHEET_STOPS = ["low", "half", "full"] as const;
type SheetStop = (typeof SHEET_STOPS)[number];

export const sheetStop = signal<SheetStop>("half");

/** Raises the sheet, or unfolds the panel, to show what was opened in it. */
export function raiseSheet(): void {
  isPanelFolded.value = false;
  if (sheetStop.peek() === "low") sheetStop.value = "half";
}

export const MIN_PANEL_PIXELS = 320;
export const MAX_PANEL_PIXELS = 640;
const PANEL_PIXELS = 400;
const PANEL_KEY = "cairn-panel";

/** The width of the panel on wide screens, in this browser's storage. */
export const panelPixels = signal(storedPixels());
/** Hides or shows the panel with the list. */
export function foldPanel(isFolded: boolean): void {
  isPanelFolded.value = isFolded;
}

panelPixels.subscribe((pixels) => store(PANEL_KEY, String(pixels)));

function storedPixels(): number {
  const pixels = Number(readStored(PANEL_KEY));
  return pixels >= MIN_PANEL_PIXELS && pixels <= MAX_PANEL_PIXELS ? pixels : PANEL_PIXELS;
}
