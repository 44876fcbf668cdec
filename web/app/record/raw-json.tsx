import type { Feature } from "../../engine/index.ts";
import { text } from "../text/index.ts";
import { CopyButton, Unfold } from "../widgets/index.ts";

/** The outline of a country has a hundred thousand numbers, too many to display. */
const MOST_CHARS = 20_000;

/** The record as in the REST interface. */
export function RawJson({ record }: { record: Feature }) {
  const make = () => JSON.stringify(record, null, 2);
  return (
    <Unfold title={text("export.format.json")}>
      {() => (
        <>
          <CopyButton label={text("detail.copyJson")} make={make} />
          <Text json={make()} />
        </>
      )}
    </Unfold>
  );
}

function Text({ json }: { json: string }) {
  return (
    <>
      {json.length > MOST_CHARS && (
        <p class="quiet">{text("detail.jsonCut", { shown: MOST_CHARS, total: json.length })}</p>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be in reach of the keyboard */}
      <pre tabIndex={0}>{json.slice(0, MOST_CHARS)}</pre>
    </>
  );
}
