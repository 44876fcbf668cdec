import { signal } from "@preact/signals";
import type { Feature } from "../../engine/index.ts";
import type { ExportProgress, ExportResult } from "../../hosts/browser/protocol/index.ts";
import type { FormatName } from "../../search/index.ts";
import { formatPageState } from "../address/index.ts";
import { joinedRows } from "../files/index.ts";
import { searchWords } from "../search/index.ts";
import { dataset, type Found, orderedArgument, selection } from "../state/index.ts";
import { columnTexts, language } from "../text/index.ts";
import { canChooseFile, chooseFile, discardFile, downloadFile } from "../widgets/index.ts";
import { remote } from "../worker/index.ts";
import { attributionText } from "./attribution.ts";
import { attributionFileName, exportFileName } from "./file-name.ts";

/** Which records: all matches, those in the list, or those that the user selected in the table. */
export type ExportExtent = "all" | "listed" | "selected";

export interface ExportChoice {
  readonly extent: ExportExtent;
  readonly format: FormatName;
  /** Whether to include rows of the user's own files. */
  readonly hasRows: boolean;
  /** Whether columns of CSV have headers in the user's language. */
  readonly hasHeaders: boolean;
}

interface TextFile {
  readonly name: string;
  readonly text: string;
}

type ExportState =
  | { readonly kind: "choosing" }
  | { readonly kind: "running"; readonly progress: ExportProgress }
  | { readonly kind: "done"; readonly progress: ExportProgress; readonly attribution: TextFile }
  | { readonly kind: "cancelled" }
  | { readonly kind: "failed"; readonly progress: ExportProgress; readonly message: string };

export type RunningExport = ReturnType<typeof createExport>;

const NOTHING: ExportProgress = { records: 0, total: 0, bytes: 0 };

/** Creates the export of a search, in the state `choosing`. */
export function createExport(found: Found) {
  const state = signal<ExportState>({ kind: "choosing" });
  let controller = new AbortController();
  let file: FileSystemFileHandle | undefined;
  let choice: ExportChoice | undefined;

  async function write({ extent, format, hasRows, hasHeaders }: ExportChoice): Promise<void> {
    controller = new AbortController();
    const { signal: stopped } = controller;
    let progress = NOTHING;
    state.value = { kind: "running", progress };
    try {
      const rows = hasRows && extent !== "selected" ? (extent === "all" ? extent : joinedRows(found).rows) : undefined;
      const argument = {
        ...orderedArgument(found.search),
        records: extent === "all" ? undefined : recordsOf(found, extent),
        headers: hasHeaders ? columnTexts() : undefined,
        format,
        rows,
        file,
      };
      const result = await remote("export", argument, stopped, (next) => {
        progress = next;
        if (!stopped.aborted) state.value = { kind: "running", progress };
      });
      const name = file?.name ?? exportFileName(searchWords(found.search), format);
      const attribution = attributionFile(name, result);
      if (result.blob) downloadFile(result.blob, name);
      saveText(attribution);
      state.value = { kind: "done", progress: result, attribution };
    } catch (error) {
      if (stopped.aborted) await discard();
      else state.value = { kind: "failed", progress, message: error instanceof Error ? error.message : String(error) };
    }
  }

  async function discard(): Promise<void> {
    const left = file;
    file = undefined;
    // The worker receives the abort later, and only then releases the file.
    if (left) await discardFile(left).catch(() => {});
  }

  function attributionFile(fileName: string, result: ExportResult): TextFile {
    const address = new URL(formatPageState({ search: found.search }), location.href);
    const date = new Date().toLocaleDateString(language.value, { dateStyle: "long" });
    const { release = "", attribution = [] } = dataset.value ?? {};
    return {
      name: attributionFileName(fileName),
      text: attributionText({ fileName, address: address.href, release, attribution, result, date }),
    };
  }

  function cancel(): void {
    controller.abort();
    state.value = { kind: "cancelled" };
  }

  return {
    state,
    /** Asks for a file if the browser can, and writes the export to it. */
    async start(next: ExportChoice) {
      choice = next;
      if (canChooseFile()) {
        file = await chooseFile(exportFileName(searchWords(found.search), next.format));
        if (!file) return;
      }
      await write(next);
    },
    async retry() {
      if (choice) await write(choice);
    },
    cancel,
    /** Called when the user closes the dialog. */
    async close() {
      if (state.value.kind === "running") cancel();
      if (state.value.kind === "failed") await discard();
    },
  };
}

/** Returns the records in the list; for the extent `selected` only those that the user selected. */
export function recordsOf({ records }: Found, extent: ExportExtent): readonly Feature[] {
  return extent === "selected" ? records.filter(({ id }) => selection.peek().has(id)) : records;
}

/** Downloads a text file. */
export function saveText({ name, text }: TextFile): void {
  downloadFile(new Blob([text], { type: "text/plain;charset=utf-8" }), name);
}
