import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { found, pageState, problem } from "../state/index.ts";
import { text } from "../text/index.ts";

const STOPS = ["low", "half", "full"] as const;
type Stop = (typeof STOPS)[number];

/** A swipe shorter than this is a tap. */
const SWIPE_PIXELS = 24;

/** The panel over the map: at the side on wide screens, a sheet with three stops at the foot of narrow ones. */
export function Sheet({ isAlone, children }: { isAlone: boolean; children: ComponentChildren }) {
  const stop = useSignal<Stop>("half");
  const startY = useRef(0);
  const isSwipe = useRef(false);
  const hasContent = found.value !== undefined || problem.value !== undefined || pageState.value.record !== undefined;
  useEffect(() => {
    if (hasContent && stop.value === "low") stop.value = "half";
  }, [hasContent, stop]);

  const move = (steps: number) => {
    const index = STOPS.indexOf(stop.value) + steps;
    stop.value = STOPS[Math.max(0, Math.min(STOPS.length - 1, index))] ?? "half";
  };

  return (
    <section class="sheet" data-stop={isAlone ? "alone" : stop.value} aria-label={text("sheet.name")}>
      <button
        type="button"
        class="sheet-handle"
        aria-label={text(stop.value === "full" ? "sheet.moreMap" : "sheet.moreList")}
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
          if (!isSwipe.current) cycle(stop);
          isSwipe.current = false;
        }}
      />
      {children}
    </section>
  );
}

function cycle(stop: { value: Stop }): void {
  stop.value = stop.value === "low" ? "half" : stop.value === "half" ? "full" : "low";
}
