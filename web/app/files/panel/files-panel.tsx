import "../../styles/files.css";
import { useLayoutEffect, useRef } from "preact/hooks";
import { bboxOf } from "../../../../data/format/geometry.ts";
import { MOST_FILE_BYTES, MOST_FILE_ROWS } from "../../../hosts/browser/protocol/index.ts";
import { OvertureOffer } from "../../overture/overture-offer.tsx";
import { Facts } from "../../record/index.ts";
import { found, isElsewhere, showSearch } from "../../state/index.ts";
import { formatBytes, text } from "../../text/index.ts";
import { FileButton, PanelFrame, ZoomButton } from "../../widgets/index.ts";
import {
  addFiles,
  addWithColumns,
  type FileRowRef,
  keptFault,
  type openRow as OpenRow,
  openRow,
  ownFiles,
  type RefusedFile,
  readingFile,
  refusedFiles,
  removedFile,
  restoreFile,
} from "../index.ts";
import { FileItem } from "./file-item.tsx";

/** Choices of the file dialog; the content determines the format. */
const ENDINGS =
  ".csv,.tsv,.tab,.txt,.xlsx,.xls,.ods,.json,.geojson,.geojsonl,.geojsons,.geojsonseq,.ndjson,.topojson,.gpx,.kml,.kmz,.fgb,.gpkg,.osm,.pbf,.parquet,.geoparquet,.gpq,.zip,.gz,.js";

/** The user's own files: opens files, and shows the matches of the search in each. */
export function FilesPanel({ onClose }: { onClose: () => void }) {
  const seen = useRef<FileRowRef | undefined>(undefined);
  if (openRow.value) seen.current = openRow.value;
  return (
    <PanelFrame title={text("panel.files")} kind="beside" onClose={onClose}>
      {openRow.value ? <RowDetail row={openRow.value} /> : <Files returnTo={seen.current} />}
    </PanelFrame>
  );
}

/** `returnTo` is the row that was open, which gets the focus again. */
function Files({ returnTo }: { returnTo: FileRowRef | undefined }) {
  return (
    <>
      <p class="quiet">{text("files.about")}</p>
      <div class="actions is-start">
        <FileButton
          label={text("files.choose")}
          accept={ENDINGS}
          class="primary"
          takesSeveral
          onFiles={(files) => void addFiles(files)}
        />
        {isElsewhere.value && found.value && (
          <button type="button" onClick={showSearch}>
            {text("files.backToSearch")}
          </button>
        )}
      </div>
      <OvertureOffer />
      <p aria-live="polite">{readingFile.value !== undefined && text("files.reading", { file: readingFile.value })}</p>
      {keptFault.value !== undefined && <p role="alert">{text("saved.failed", { reason: keptFault.value })}</p>}
      <Removed />
      {refusedFiles.value.map((refused, index) => (
        <Refused key={index} refused={refused} />
      ))}
      {ownFiles.value.map((file) => (
        <FileItem key={file.id} file={file} returnTo={returnTo?.file === file.id ? returnTo.row : undefined} />
      ))}
    </>
  );
}

function Removed() {
  const file = removedFile.value;
  if (!file) return null;
  return (
    <div class="file-kept">
      <p role="status" dir="auto">
        {text("files.removed", { file: file.name })}
      </p>
      <button type="button" onClick={() => void restoreFile(file)}>
        {text("files.undo")}
      </button>
    </div>
  );
}

function Refused({ refused }: { refused: RefusedFile }) {
  const { name, fault, file } = refused;
  return (
    <div class="file-refused" role="alert">
      <p>
        <strong dir="auto">{name}</strong>
      </p>
      <p>{reasonText(fault)}</p>
      <p class="quiet">{text("files.allowed", { size: formatBytes(MOST_FILE_BYTES), rows: MOST_FILE_ROWS })}</p>
      {file && fault.code === "columns" && fault.columns.length > 1 && (
        <ColumnChoice refused={refused} columns={fault.columns} />
      )}
    </div>
  );
}

/** The columns with the coordinates, where their names and values do not show it. */
function ColumnChoice({ refused, columns }: { refused: RefusedFile; columns: readonly string[] }) {
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        const data = new FormData(event.currentTarget);
        void addWithColumns(refused, { lat: String(data.get("lat")), lng: String(data.get("lng")) });
      }}
    >
      <p>{text("files.columnsAsk")}</p>
      {(["lat", "lng"] as const).map((name, index) => (
        <label key={name} class="field">
          <span>{text(`files.${name}`)}</span>
          <select name={name} dir="auto">
            {columns.map((column, at) => (
              <option key={column} selected={at === index}>
                {column}
              </option>
            ))}
          </select>
        </label>
      ))}
      <button type="submit" class="primary">
        {text("files.useColumns")}
      </button>
    </form>
  );
}

function reasonText(fault: RefusedFile["fault"]): string {
  switch (fault.code) {
    case "format":
      return text("files.fault.format", { got: fault.got });
    case "damaged":
      return text("files.fault.damaged", { reason: fault.reason });
    case "columns":
      return text("files.fault.columns", { columns: fault.columns.join(", ") || "–" });
    case "empty":
      return text("files.fault.empty", { count: fault.leftOut });
    case "crs":
      return text("files.fault.crs", { crs: fault.crs });
    case "units":
      return text("files.fault.units", { example: fault.example });
    case "bytes":
      return text("files.fault.bytes", { size: formatBytes(fault.bytes) });
    case "rows":
      return text("files.fault.rows", { count: fault.rows });
  }
}

function RowDetail({ row: { feature, row, file, title } }: { row: NonNullable<typeof OpenRow.value> }) {
  const back = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => back.current?.focus(), []);
  const bbox = bboxOf(feature.geometry);
  return (
    <article class="file-row">
      <div class="actions is-start">
        <button
          ref={back}
          type="button"
          onClick={() => {
            openRow.value = undefined;
          }}
        >
          {text("detail.back")}
        </button>
        {bbox && <ZoomButton bbox={bbox} />}
      </div>
      {title !== undefined && <h3 dir="auto">{title}</h3>}
      <p class="quiet" dir="auto">
        {text("files.row", { number: row + 1 })} · {ownFiles.value.find(({ id }) => id === file)?.name}
      </p>
      <Facts properties={feature.properties} isOwn />
    </article>
  );
}
