/** Buttons that several modules use. @module */
import { useSignal } from "@preact/signals";
import { text } from "../text/index.ts";

/** A button with a cross that closes or clears what `label` says. */
export function CloseButton({ label, onClick }: { readonly label: string; readonly onClick: () => void }) {
  return (
    <button type="button" class="icon-button" aria-label={label} onClick={onClick}>
      <span class="icon is-close" />
    </button>
  );
}

/** How long the button shows that the text was copied. */
const SHOWN_MS = 2500;

interface CopyProps {
  readonly label: string;
  /** Name of an icon above the label. */
  readonly icon?: string;
  /** Returns the text. Called when the button is pressed. */
  readonly make: () => string | Promise<string>;
}

/** A button that copies a text, and says whether that succeeded. */
export function CopyButton({ label, icon, make }: CopyProps) {
  const state = useSignal<"idle" | "done" | "failed">("idle");
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(await make());
      state.value = "done";
    } catch {
      state.value = "failed";
    }
    setTimeout(() => {
      state.value = "idle";
    }, SHOWN_MS);
  };
  return (
    <>
      <button type="button" class={icon ? "copy action" : "copy"} data-state={state.value} onClick={() => void copy()}>
        {icon && <span class={`icon is-${icon}`} />}
        {label}
        <span class="copy-said" aria-hidden="true">
          ✓
        </span>
      </button>
      <span class={state.value === "failed" ? "fault" : "visually-hidden"} role="status">
        {state.value === "done" && text("copy.done")}
        {state.value === "failed" && text("copy.failed")}
      </span>
    </>
  );
}

const ARROWS = {
  back: "M9 3 5 8l4 5",
  forward: "M7 3l4 5-4 5",
  first: "M7 3 3 8l4 5M12 3 8 8l4 5",
  last: "M4 3l4 5-4 5M9 3l4 5-4 5",
};

interface StepProps {
  readonly label: string;
  readonly kind: keyof typeof ARROWS;
  readonly isOff: boolean;
  readonly onClick: () => void;
  /** Called with true when the pointer enters a button that can be pressed, and with false when it leaves. */
  readonly onPointer?: (isHere: boolean) => void;
}

/** A button with an arrow for one step, or to an end. It can keep the focus when there is no step left. */
export function Step({ label, kind, isOff, onClick, onPointer }: StepProps) {
  return (
    <button
      type="button"
      class="step"
      aria-label={label}
      title={label}
      aria-disabled={isOff}
      tabIndex={isOff ? -1 : 0}
      onClick={() => {
        if (!isOff) onClick();
      }}
      onPointerEnter={() => onPointer?.(!isOff)}
      onPointerLeave={() => onPointer?.(false)}
    >
      <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
        <path
          d={ARROWS[kind]}
          fill="none"
          stroke="currentcolor"
          stroke-width="2"
          stroke-linecap="round"
          stroke-linejoin="round"
        />
      </svg>
    </button>
  );
}
