import { dataset } from "../state/index.ts";
import { text } from "../text/index.ts";
import { SourceLines } from "../widgets/index.ts";

/** The sources of the visible data. One is always visible; a click shows the others. */
export function Attribution() {
  const lines = new Map((dataset.value?.attribution ?? []).map((line) => [line.text, line]));
  // OpenStreetMap's licence requires a credit that is visible without a click.
  const [first, ...others] = [...lines.values()].sort((a, b) => Number(isOfOsm(b)) - Number(isOfOsm(a)));
  if (!first) return null;
  return (
    <aside class="attribution" aria-label={text("map.sources")}>
      <details>
        <summary>
          {others.length === 0 ? first.text : text("map.moreSources", { source: first.text, count: others.length })}
        </summary>
        <ul>
          <SourceLines lines={[first, ...others]} />
        </ul>
      </details>
    </aside>
  );
}

function isOfOsm({ text: line }: { readonly text: string }): boolean {
  return line.includes("OpenStreetMap");
}
