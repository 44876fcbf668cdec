import { effect } from "@preact/signals";
import { useLayoutEffect } from "preact/hooks";

/**
 * Like `useSignalEffect`, but first runs before the component is visible. After the paint it would overwrite what the user has
 * typed meanwhile.
 */
export function useLayoutSignalEffect(run: () => void): void {
  useLayoutEffect(() => effect(run), []);
}
