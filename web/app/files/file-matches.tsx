import { openPanel } from "../state/index.ts";
import { text } from "../text/index.ts";
import { ownFiles } from "./own-files.ts";

/** Leads to the reader's own files, beside the count of what was found. */
export function FileMatches() {
  if (ownFiles.value.length === 0) return null;
  return (
    <button type="button" class="file-matches" onClick={() => openPanel("files")}>
      {text("panel.files")}
    </button>
  );
}
