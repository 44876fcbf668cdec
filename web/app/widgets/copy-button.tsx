import { useSignal } from "@preact/signals";
import { text } from "../text/index.ts";

/** How long the button shows that it has copied. */
const SHOWN_MS = 2500;

interface Props {
  readonly label: string;
  /** Shown above the label. */
  readonly icon?: string;
  /** Made on demand. */
  readonly make: () => string | Promise<string>;
}

/** Copies a text, and confirms it. */
export function CopyButton({ label, icon, make }: Props) {
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
