import type { OwnFile } from "../../../hosts/browser/protocol/index.ts";
import { formatBytes, text } from "../../text/index.ts";
import { declineToKeep, forgetFile, type Keeping, keepFile, keeping } from "../index.ts";

/** Asks whether to keep the file, and says whether it is kept. */
export function KeepFile({ file }: { file: OwnFile }) {
  const state = keeping.value[file.id];
  const fault = state && faultText(state);
  return (
    <div class="file-keep">
      {fault !== undefined && <p role="alert">{fault}</p>}
      <Question file={file} state={state} />
    </div>
  );
}

function Question({ file, state }: { file: OwnFile; state: Keeping | undefined }) {
  const keep = (
    <button type="button" onClick={() => void keepFile(file)}>
      {text("files.keep")}
    </button>
  );
  if (state?.kind === "keeping") return <p aria-live="polite">{text("files.keeping", { file: file.name })}</p>;
  if (file.isKept)
    return (
      <div class="file-kept">
        <p aria-live="polite">{text("files.kept")}</p>
        <button type="button" onClick={() => void forgetFile(file)}>
          {text("files.forget")}
        </button>
      </div>
    );
  if (state?.kind === "declined")
    return (
      <div class="file-kept">
        <p aria-live="polite">{text("files.notKept")}</p>
        {keep}
      </div>
    );
  return (
    <>
      <p>{text("files.keepAsk")}</p>
      <div class="actions is-start">
        {keep}
        <button type="button" onClick={() => declineToKeep(file)}>
          {text("files.keepNot")}
        </button>
      </div>
    </>
  );
}

/** Why the file is not kept, or not forgotten. */
function faultText(state: Keeping): string | undefined {
  if (state.kind === "failed") return text("saved.failed", { reason: state.message });
  if (state.kind !== "stopped") return undefined;
  const { result } = state;
  return result.kind === "full"
    ? text("files.full", { needed: formatBytes(result.neededBytes) })
    : text("files.keepForbidden");
}
