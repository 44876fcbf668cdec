import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { text } from "../text/index.ts";
import { addFiles } from "./own-files.ts";

/** Accepts files dropped anywhere on the page, and shows a hint while they are dragged over it. */
export function DropZone() {
  const isOver = useSignal(false);
  useEffect(() => {
    const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes("Files") ?? false;
    const over = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      // otherwise the browser navigates to the file
      event.preventDefault();
      isOver.value = true;
    };
    const leave = ({ relatedTarget }: DragEvent) => {
      if (relatedTarget === null) isOver.value = false;
    };
    const drop = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      isOver.value = false;
      void addFiles([...(event.dataTransfer?.files ?? [])]);
    };
    addEventListener("dragover", over);
    addEventListener("dragleave", leave);
    addEventListener("drop", drop);
    return () => {
      removeEventListener("dragover", over);
      removeEventListener("dragleave", leave);
      removeEventListener("drop", drop);
    };
  }, [isOver]);
  return isOver.value ? <p class="drop-zone">{text("files.drop")}</p> : null;
}
