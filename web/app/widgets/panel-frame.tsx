import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import { isSidePanelOpen } from "../state/index.ts";
import { text } from "../text/index.ts";
import { CloseButton } from "./buttons.tsx";

interface Props {
  readonly title: string;
  /** `modal` blocks the page; `beside` leaves the map and the results usable. */
  readonly kind: "modal" | "beside";
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** The frame of all panels of the menu: a title, and a button that closes it. Then the focus returns to where it was. */
export function PanelFrame({ title, kind, onClose, children }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => {
    if (kind === "modal") return dialog.current?.showModal();
    dialog.current?.show();
    isSidePanelOpen.value = true;
    return () => {
      isSidePanelOpen.value = false;
    };
  }, [kind]);
  useEffect(() => {
    if (kind === "modal") return undefined;
    // The element with the focus may be gone.
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
        // The browser does this only for modal dialogs.
        if (event.key === "Escape" && kind === "beside") dialog.current?.close();
      }}
    >
      {/* No header element: outside of a section it would be a second page header. */}
      <div class="panel-frame-header">
        <h2 id={titleId}>{title}</h2>
        <CloseButton label={text("panel.close")} onClick={() => dialog.current?.close()} />
      </div>
      <div class="panel-frame-body">{children}</div>
    </dialog>
  );
}
