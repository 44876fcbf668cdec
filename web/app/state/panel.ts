/** Which panel of the menu is open, at most one, and how much the main panel covers. @module */
import { signal } from "@preact/signals";
import { readStored, store } from "../settings/stored.ts";

export const PANEL_NAMES = ["table", "export", "areas", "notes", "files", "console", "answer", "about"] as const;
export type PanelName = (typeof PANEL_NAMES)[number];

export const panel = signal<PanelName | undefined>(undefined);
/** Whether a panel of the menu covers part of the map. Set when it is rendered, later than `panel`. */
export const isSidePanelOpen = signal(false);

/** Opens a panel of the menu, and closes the one that is open. */
export function openPanel(name: PanelName): void {
  panel.value = name;
}

/** The text in the editor of the SQL console. */
export const consoleSql = signal("");

/** Opens the SQL console with the statement in its editor. */
export function openConsole(sql: string): void {
  consoleSql.value = sql;
  openPanel("console");
}

/** Closes the panel, unless another one is open: a browser reports late that a dialog was closed. */
export function closePanel(name: PanelName): void {
  if (panel.peek() === name) panel.value = undefined;
}

/** Whether the main panel is folded, so that only the search box and the map are visible. */
export const isPanelFolded = signal(false);

export const SHEET_STOPS = ["low", "half", "full"] as const;
type SheetStop = (typeof SHEET_STOPS)[number];

/** Height of the main panel on narrow screens. */
export const sheetStop = signal<SheetStop>("half");

/** Makes the main panel visible: raises it from its lowest stop, and unfolds it. */
export function raiseSheet(): void {
  isPanelFolded.value = false;
  if (sheetStop.peek() === "low") sheetStop.value = "half";
}

export const MIN_PANEL_PIXELS = 320;
export const MAX_PANEL_PIXELS = 640;
const PANEL_PIXELS = 400;
const PANEL_KEY = "cairn-panel";

/** Width of the main panel on wide screens in pixels, stored in this browser. */
export const panelPixels = signal(storedPixels());
/** Folds or unfolds the main panel. */
export function foldPanel(isFolded: boolean): void {
  isPanelFolded.value = isFolded;
}

panelPixels.subscribe((pixels) => store(PANEL_KEY, String(pixels)));

function storedPixels(): number {
  const pixels = Number(readStored(PANEL_KEY));
  return pixels >= MIN_PANEL_PIXELS && pixels <= MAX_PANEL_PIXELS ? pixels : PANEL_PIXELS;
}
