import { useSignal } from "@preact/signals";
import type { Found } from "../state/session.ts";
import { text } from "../text/text.ts";
import { ExportDialog } from "./export-dialog.tsx";

/** Opens the export of what was found. */
export function ExportButton({ found }: { found: Found }) {
  const isOpen = useSignal(false);
  return (
    <>
      <button
        type="button"
        class="export-button"
        aria-haspopup="dialog"
        onClick={() => {
          isOpen.value = true;
        }}
      >
        {text("export.open")}
      </button>
      {isOpen.value && (
        <ExportDialog
          found={found}
          onClose={() => {
            isOpen.value = false;
          }}
        />
      )}
    </>
  );
}
