import { effect } from "@preact/signals";
import { useLayoutEffect } from "preact/hooks";

/**
 * An effect of signals that first runs before the component is visible. `useSignalEffect` runs after the paint, and
 * would discard what was typed before.
 */
export function useLayoutSignalEffect(run: () => void): void {
  useLayoutEffect(() => effect(run), []);
}
