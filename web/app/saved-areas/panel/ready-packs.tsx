import { isOnline, pageState } from "../../state/index.ts";
import { formatBytes, reasonOf, releaseText, text } from "../../text/index.ts";
import { useAnswer } from "../../widgets/index.ts";
import { remote } from "../../worker/index.ts";
import { takeIn } from "../index.ts";
import { isTaking, TakingNote, useTaking } from "./taking.tsx";

/** Area files that the site offers; nothing without a list, or offline. */
export function ReadyPacks() {
  const listed = useAnswer((signal) => (isOnline.value ? remote("packs", undefined, signal) : undefined));
  const { state, take } = useTaking();
  if (!listed) return null;
  if ("error" in listed) return <p role="alert">{text("saved.failed", { reason: reasonOf(listed.error) })}</p>;
  const packs = listed.value;
  if (packs.length === 0) return pageState.value.isAtPacks ? <p>{text("packs.none")}</p> : null;
  return (
    <section class="ready-packs">
      <h3>{text("packs.title")}</h3>
      <ul aria-label={text("packs.title")}>
        {packs.map((pack) => (
          <li key={pack.file}>
            <span dir="auto">{pack.name}</span>
            <span class="quiet">
              {[formatBytes(pack.bytes), releaseText(pack.release)].filter(Boolean).join(" · ")}
            </span>
            <button
              type="button"
              aria-label={text("packs.take", { name: pack.name })}
              disabled={isTaking(state.value)}
              onClick={() => void take(pack.name, (onProgress, signal) => takeIn(pack, onProgress, signal))}
            >
              {text("export.save")}
            </button>
            <details>
              <summary class="quiet">SHA-256</summary>
              <code class="quiet">{pack.sha256}</code>
            </details>
          </li>
        ))}
      </ul>
      <TakingNote taking={state.value} />
    </section>
  );
}
