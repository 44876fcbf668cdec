import { openPanel } from "../state/index.ts";
import { text } from "../text/index.ts";

/** Opens the export of what was found. */
export function ExportButton() {
  return (
    <button type="button" class="export-button" aria-haspopup="dialog" onClick={() => openPanel("export")}>
      {text("export.open")}
    </button>
  );
}
