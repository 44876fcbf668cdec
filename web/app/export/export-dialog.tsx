import { useSignal } from "@preact/signals";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { EXPORT_FORMATS, type ExportFormat } from "../../hosts/browser/protocol/export-calls.ts";
import { CopyAs } from "../copy/index.ts";
import type { Found } from "../state/index.ts";
import { text } from "../text/index.ts";
import { ExportStatus } from "./export-status.tsx";
import { createExport, type ExportChoice } from "./run-export.ts";

/** Asks what to export, then shows how far it is. */
export function ExportDialog({ found, onClose }: { found: Found; onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const running = useMemo(() => createExport(found), [found]);
  useEffect(() => {
    dialog.current?.showModal();
    return () => void running.close();
  }, [running]);
  const { kind } = running.state.value;
  return (
    <dialog
      class="export"
      ref={dialog}
      aria-labelledby="export-title"
      onClose={onClose}
      onKeyDown={(event) => event.stopPropagation()}
    >
      <h2 id="export-title">{text("export.title")}</h2>
      {kind === "choosing" ? (
        <>
          <ExportForm found={found} onStart={running.start} onClose={() => dialog.current?.close()} />
          <CopyAs title={text("copy.search")} subject={{ kind: "search", found }} />
        </>
      ) : (
        <ExportStatus running={running} onClose={() => dialog.current?.close()} />
      )}
    </dialog>
  );
}

interface ExportFormProps {
  readonly found: Found;
  readonly onStart: (choice: ExportChoice) => Promise<void>;
  readonly onClose: () => void;
}

function ExportForm({ found, onStart, onClose }: ExportFormProps) {
  const extent = useSignal<ExportChoice["extent"]>("all");
  const format = useSignal<ExportFormat>("geojson");
  const { records, total } = found;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void onStart({ extent: extent.value, format: format.value });
      }}
    >
      <fieldset class="choices">
        <legend>{text("export.what")}</legend>
        <Choice
          name="extent"
          label={text("export.all", { count: total })}
          isChosen={extent.value === "all"}
          onChoose={() => {
            extent.value = "all";
          }}
        />
        <Choice
          name="extent"
          label={text("export.page", { count: records.length })}
          isChosen={extent.value === "page"}
          onChoose={() => {
            extent.value = "page";
          }}
        />
      </fieldset>
      <fieldset class="choices">
        <legend>{text("export.format")}</legend>
        {EXPORT_FORMATS.map((known) => (
          <Choice
            key={known}
            name="format"
            label={text(`export.format.${known}`)}
            hint={text(`export.format.${known}Hint`)}
            isChosen={format.value === known}
            onChoose={() => {
              format.value = known;
            }}
          />
        ))}
      </fieldset>
      <p class="quiet">{text("export.withAttribution")}</p>
      <div class="actions">
        <button type="button" onClick={onClose}>
          {text("export.close")}
        </button>
        <button type="submit" class="primary">
          {text("export.save")}
        </button>
      </div>
    </form>
  );
}

interface ChoiceProps {
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
}

function Choice({ name, label, hint, isChosen, onChoose }: ChoiceProps) {
  return (
    <label class="choice">
      <input type="radio" name={name} checked={isChosen} onChange={onChoose} />
      <span>
        {label}
        {hint && <span class="quiet"> {hint}</span>}
      </span>
    </label>
  );
}
