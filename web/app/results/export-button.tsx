import { openPanel } from "../state/panel.ts";
import { text } from "../text/text.ts";

/** Opens the export of what was found. */
export function ExportButton() {
  return (
    <button type="button" class="export-button" aria-haspopup="dialog" onClick={() => openPanel("export")}>
      {text("export.open")}
    </button>
  );
}
