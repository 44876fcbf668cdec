import { dataset } from "../state/index.ts";
import { formatCount, releaseText, text } from "../text/index.ts";
import { PanelFrame, SourceLines } from "../widgets/index.ts";

/** Describes the page, the contents of its dataset, and the sources. */
export function About({ onClose }: { onClose: () => void }) {
  const { release = "", collections = [], attribution = [], signature } = dataset.value ?? {};
  const rows = collections.reduce((sum, collection) => sum + collection.rows, 0);
  return (
    <PanelFrame title={text("panel.about")} kind="modal" onClose={onClose}>
      <p>{text("about.what")}</p>
      <p>{text("about.how")}</p>
      {dataset.value && (
        <p>
          {[
            text("about.dataset", { rows: formatCount(rows) }),
            releaseText(release),
            signature && text("about.signed", signature),
          ]
            .filter(Boolean)
            .join(" ")}
        </p>
      )}
      <h3>{text("about.sources")}</h3>
      <ul class="about-sources">
        <SourceLines lines={[...new Map(attribution.map((line) => [line.text, line])).values()]} />
      </ul>
    </PanelFrame>
  );
}
