import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { found, pageState, problem, raiseSheet, SHEET_STOPS, sheetStop } from "../state/index.ts";
import { text } from "../text/index.ts";

/** A shorter swipe is a tap. */
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
