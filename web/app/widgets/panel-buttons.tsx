/** Buttons that only panels have, so that the first visit need not load them. @module */
import { useRef } from "preact/hooks";
import type { BBox } from "../../../data/format/bbox.ts";
import { showBox } from "../state/index.ts";
import { text } from "../text/index.ts";

/** A button that moves the map to the box. */
export function ZoomButton({ bbox }: { readonly bbox: BBox }) {
  return (
    <button type="button" onClick={() => showBox(bbox)}>
      {text("detail.zoom")}
    </button>
  );
}

interface FileProps {
  readonly label: string;
  /** Types of files that the browser's dialog offers. */
  readonly accept: string;
  readonly class?: string;
  readonly isDisabled?: boolean;
  readonly takesSeveral?: boolean;
  readonly onFiles: (files: readonly File[]) => void;
}

/** A button that opens the browser's dialog for files. */
export function FileButton({ label, accept, class: own, isDisabled, takesSeveral, onFiles }: FileProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <button type="button" class={own} disabled={isDisabled} onClick={() => input.current?.click()}>
        {label}
      </button>
      <input
        ref={input}
        type="file"
        accept={accept}
        multiple={takesSeveral}
        class="visually-hidden"
        tabIndex={-1}
        aria-label={label}
        onChange={({ currentTarget }) => {
          onFiles([...(currentTarget.files ?? [])]);
          currentTarget.value = "";
        }}
      />
    </>
  );
}
