import { useSignalEffect } from "@preact/signals";
import { useRef } from "preact/hooks";
import { foldPanel, isPanelFolded, MAX_PANEL_PIXELS, MIN_PANEL_PIXELS, panelPixels } from "../state/index.ts";
import { text } from "../text/index.ts";

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
