import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";

/** A title that can be opened. Its content is created then. */
export function Unfold({ title, children }: { readonly title: string; readonly children: () => ComponentChildren }) {
  const isOpen = useSignal(false);
  return (
    <details
      onToggle={(event) => {
        isOpen.value = event.currentTarget.open;
      }}
    >
      <summary>{title}</summary>
      {isOpen.value && children()}
    </details>
  );
}
