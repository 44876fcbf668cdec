/**
 * The panel with search and results over the map: its frame, its edge, the title of a map of shops, and its last line. @module
 */
import { useSignalEffect } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import {
  foldPanel,
  found,
  isPanelFolded,
  MAX_PANEL_PIXELS,
  MIN_PANEL_PIXELS,
  mapSettings,
  pageState,
  panelPixels,
  problem,
  raiseSheet,
  SHEET_STOPS,
  sheetStop,
} from "../state/index.ts";
import { formatBytes, text } from "../text/index.ts";
import { engineParts } from "../worker/index.ts";

/** Shortest swipe; a shorter one is a tap. */
const SWIPE_PIXELS = 24;

/** The panel over the map: at the side on wide screens, a sheet with three stops at the bottom of narrow ones. */
export function Sheet({ isAlone, children }: { isAlone: boolean; children: ComponentChildren }) {
  const startY = useRef(0);
  const isSwipe = useRef(false);
  const hasContent = found.value !== undefined || problem.value !== undefined || pageState.value.record !== undefined;
  useEffect(() => {
    if (hasContent) raiseSheet();
  }, [hasContent]);
  const stop = sheetStop.value;

  return (
    <div class="sheet" data-stop={isAlone ? "alone" : stop}>
      {!isAlone && (
        <button
          type="button"
          class="sheet-handle"
          aria-label={text(stop === "full" ? "sheet.moreMap" : "sheet.moreList")}
          onPointerDown={(event) => {
            startY.current = event.clientY;
            event.currentTarget.setPointerCapture(event.pointerId);
          }}
          onPointerUp={(event) => {
            const distance = event.clientY - startY.current;
            isSwipe.current = Math.abs(distance) >= SWIPE_PIXELS;
            if (isSwipe.current) move(distance > 0 ? -1 : 1);
          }}
          onClick={() => {
            // A swipe may end in a click too.
            if (!isSwipe.current) cycle();
            isSwipe.current = false;
          }}
        />
      )}
      {children}
    </div>
  );
}

function move(steps: number): void {
  const index = SHEET_STOPS.indexOf(sheetStop.peek()) + steps;
  sheetStop.value = SHEET_STOPS[Math.max(0, Math.min(SHEET_STOPS.length - 1, index))] ?? "half";
}

function cycle(): void {
  const index = SHEET_STOPS.indexOf(sheetStop.peek()) + 1;
  sheetStop.value = SHEET_STOPS[index % SHEET_STOPS.length] ?? "half";
}

/** The last line of the panel: how many bytes of DuckDB are loaded, while it loads. */
export function Footer() {
  const database = engineParts.database.value;
  if (!database || database.state === "ready") return null;
  const received = formatBytes(database.receivedBytes);
  return (
    <footer class="panel-footer">
      {text("console.starting", { received, total: formatBytes(database.totalBytes) })}
    </footer>
  );
}

/** The owner's logo and title above the search of a map of shops. */
export function ShopTitle() {
  const { title = text("app.name"), shop } = mapSettings;
  if (!shop) return null;
  return (
    <h1 class="shop-title">
      <a href="#/">
        {shop.logo !== undefined && <img src={`./${shop.logo}`} alt="" />}
        <span dir="auto">{title}</span>
      </a>
    </h1>
  );
}

const STEP_PIXELS = 16;

/** The inner edge of the panel on wide screens: drag it, or use the arrow keys. Its button folds the panel. */
export function PanelEdge() {
  const grip = useRef<{ readonly x: number; readonly pixels: number } | undefined>(undefined);
  useSignalEffect(() => {
    const { style, dataset } = document.documentElement;
    style.setProperty("--panel-width", `${panelPixels.value}px`);
    if (isPanelFolded.value) dataset.panel = "folded";
    else delete dataset.panel;
  });
  const isFolded = isPanelFolded.value;
  const label = text(isFolded ? "sheet.unfold" : "sheet.fold");
  const ahead = () => (document.documentElement.dir === "rtl" ? -1 : 1);
  return (
    <>
      <button
        type="button"
        class="panel-fold"
        aria-label={label}
        title={label}
        aria-expanded={!isFolded}
        onClick={() => foldPanel(!isFolded)}
      >
        <span class="back-arrow" aria-hidden="true" />
      </button>
      {!isFolded && (
        // biome-ignore lint/a11y/useSemanticElements: a rule has no value and no keys
        <div
          class="panel-edge"
          role="separator"
          tabIndex={0}
          aria-orientation="vertical"
          aria-label={text("sheet.width")}
          aria-valuemin={MIN_PANEL_PIXELS}
          aria-valuemax={MAX_PANEL_PIXELS}
          aria-valuenow={panelPixels.value}
          onPointerDown={(event) => {
            event.currentTarget.setPointerCapture(event.pointerId);
            grip.current = { x: event.clientX, pixels: panelPixels.peek() };
          }}
          onPointerMove={(event) => {
            const { x, pixels } = grip.current ?? {};
            if (x !== undefined && pixels !== undefined)
              panelPixels.value = bounded(pixels + (event.clientX - x) * ahead());
          }}
          onPointerUp={() => {
            grip.current = undefined;
          }}
          onKeyDown={({ key }) => {
            const steps = key === "ArrowRight" ? ahead() : key === "ArrowLeft" ? -ahead() : 0;
            panelPixels.value = bounded(panelPixels.peek() + steps * STEP_PIXELS);
          }}
        />
      )}
    </>
  );
}

function bounded(pixels: number): number {
  return Math.max(MIN_PANEL_PIXELS, Math.min(MAX_PANEL_PIXELS, Math.round(pixels)));
}
