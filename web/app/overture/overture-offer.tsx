import { useSignal } from "@preact/signals";
import {
  MOST_RELEASE_BYTES,
  MOST_RELEASE_ROWS,
  MOST_RELEASE_SQUARE_KM,
  type ReleaseSize,
} from "../../hosts/browser/protocol/index.ts";
import { PATHS, type Path } from "../address/index.ts";
import { isOnline } from "../state/index.ts";
import { formatBytes, text } from "../text/index.ts";
import {
  allowedCatalog,
  cancelGetting,
  fetchMeasured,
  type Getting,
  getting,
  isTooMuch,
  measure,
  wantedBox,
  wantedPaths,
} from "./area-of-release.ts";
import "../styles/overture.css";

/** Offers the rows in the visible box from Overture, if the builder of the site allows it and there is a network. */
export function OvertureOffer() {
  const isOpen = useSignal(getting.peek() !== undefined);
  const catalog = allowedCatalog();
  if (catalog === undefined || !isOnline.value || !wantedBox.value) return null;
  if (!isOpen.value) {
    return (
      <button
        type="button"
        onClick={() => {
          isOpen.value = true;
        }}
      >
        {text("overture.open")}
      </button>
    );
  }
  return (
    <section class="overture" aria-label={text("overture.open")}>
      <h3>{text("overture.open")}</h3>
      <p class="quiet">{text("overture.about", { host: new URL(catalog).host })}</p>
      <p>
        <code dir="ltr">cairn get --bbox {wantedBox.value.join(",")}</code>
      </p>
      <Kinds />
      <div aria-live="polite">{getting.value && <State state={getting.value} />}</div>
      <Actions state={getting.value} />
    </section>
  );
}

function Kinds() {
  const isBusy = getting.value?.kind === "measuring" || getting.value?.kind === "fetching";
  return (
    <fieldset disabled={isBusy}>
      <legend>{text("saved.what")}</legend>
      {PATHS.map((path) => (
        <label key={path} class="overture-kind">
          <input
            type="checkbox"
            checked={wantedPaths.value.includes(path)}
            onChange={(event) => choose(path, event.currentTarget.checked)}
          />
          {text(`path.${path}`)}
        </label>
      ))}
    </fieldset>
  );
}

/** Adds or removes a path. A measurement of the earlier choice is discarded. */
function choose(path: Path, isWanted: boolean): void {
  wantedPaths.value = PATHS.filter((known) => (known === path ? isWanted : wantedPaths.peek().includes(known)));
  getting.value = undefined;
}

function State({ state }: { readonly state: Getting }) {
  switch (state.kind) {
    case "measuring":
      return <p>{text("saved.measuring")}</p>;
    case "measured":
      return <Size size={state.size} />;
    case "fetching": {
      const { bytes, totalBytes } = state.progress;
      return (
        <p>
          <progress value={bytes} max={totalBytes} aria-label={text("overture.open")} />{" "}
          {text("overture.progress", { size: formatBytes(bytes), total: formatBytes(totalBytes) })}
        </p>
      );
    }
    case "fetched":
      return <p>{text("overture.fetched", { rows: state.rows })}</p>;
    case "tooWide":
      return (
        <p role="alert">
          {text("overture.tooWide", { area: Math.round(state.squareKm), most: MOST_RELEASE_SQUARE_KM })}
        </p>
      );
    case "failed":
      return <p role="alert">{text("saved.failed", { reason: state.reason })}</p>;
  }
}

function Size({ size }: { readonly size: ReleaseSize }) {
  const { release, licenses, files, bytes, rows } = size;
  if (files === 0) return <p>{text("overture.nothing", { release })}</p>;
  return (
    <>
      <p>{text("overture.size", { release, rows, files, size: formatBytes(bytes) })}</p>
      <p class="quiet">{`${text("export.attribution.license")}: ${licenses.join(", ")}`}</p>
      {isTooMuch(size) && (
        <p role="alert">
          {text("overture.tooMuch", { size: formatBytes(MOST_RELEASE_BYTES), rows: MOST_RELEASE_ROWS })}
        </p>
      )}
    </>
  );
}

function Actions({ state }: { readonly state: Getting | undefined }) {
  if (state?.kind === "measuring" || state?.kind === "fetching") {
    return (
      <div class="actions">
        <button type="button" onClick={cancelGetting}>
          {text("export.cancel")}
        </button>
      </div>
    );
  }
  const measured =
    state?.kind === "measured" && state.size.files > 0 && !isTooMuch(state.size) ? state.size : undefined;
  return (
    <div class="actions">
      <button type="button" disabled={wantedPaths.value.length === 0} onClick={() => void measure()}>
        {text(state?.kind === "failed" ? "problem.retry" : "overture.measure")}
      </button>
      {measured && (
        <button type="button" class="primary" onClick={() => void fetchMeasured(measured)}>
          {text("overture.fetch", { size: formatBytes(measured.bytes) })}
        </button>
      )}
    </div>
  );
}
