import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import { isBesideOpen } from "../state/index.ts";
import { text } from "../text/index.ts";
import { CloseButton } from "./close-button.tsx";

interface Props {
  readonly title: string;
  /** `modal` asks for something before all else; `beside` leaves the map and the results in use. */
  readonly kind: "modal" | "beside";
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** What panels of the menu have in common: a title, a way to close them, and the focus back where it came from. */
export function PanelFrame({ title, kind, onClose, children }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => {
    if (kind === "modal") return dialog.current?.showModal();
    dialog.current?.show();
    isBesideOpen.value = true;
    return () => {
      isBesideOpen.value = false;
    };
  }, [kind]);
  useEffect(() => {
    if (kind === "modal") return undefined;
    // What had the focus may be gone, and the focus with it.
    const close = (event: KeyboardEvent) => {
      if (event.key === "Escape" && document.activeElement === document.body) dialog.current?.close();
    };
    document.addEventListener("keydown", close);
    return () => document.removeEventListener("keydown", close);
  }, [kind]);
  return (
    <dialog
      ref={dialog}
      class={`panel-frame is-${kind}`}
      aria-labelledby={titleId}
      onClose={onClose}
      onKeyDown={(event) => {
        // The browser does this for modal dialogs alone.
        if (event.key === "Escape" && kind === "beside") dialog.current?.close();
      }}
    >
      {/* No header: outside of a section that would be a second one of the page. */}
      <div class="panel-frame-header">
        <h2 id={titleId}>{title}</h2>
        <CloseButton label={text("panel.close")} onClick={() => dialog.current?.close()} />
      </div>
      <div class="panel-frame-body">{children}</div>
    </dialog>
  );
}
