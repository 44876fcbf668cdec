import { effect } from "@preact/signals";
import { useLayoutEffect } from "preact/hooks";

/**
 * An effect of signals that first runs before the component can be seen or typed into. `useSignalEffect` runs after the
 * browser has painted, and would take away what was typed until then.
 */
export function useLayoutSignalEffect(run: () => void): void {
  useLayoutEffect(() => effect(run), []);
}
