import { dataset } from "../state/index.ts";
import { text, webLink } from "../text/index.ts";

/** Who made the data shown: one line for each source the dataset names. */
export function Attribution() {
  const lines = new Map((dataset.value?.attribution ?? []).map((line) => [line.text, line]));
  const [first, ...others] = [...lines.values()];
  if (!first) return null;
  return (
    <aside class="attribution" aria-label={text("map.sources")}>
      <details>
        <summary>
          {others.length === 0 ? first.text : text("map.moreSources", { source: first.text, count: others.length })}
        </summary>
        <ul>
          {[first, ...others].map((line) => {
            const link = line.url && webLink(line.url);
            return (
              <li key={line.text}>
                {link ? (
                  <a href={link.href} target="_blank" rel="noopener">
                    {line.text}
                  </a>
                ) : (
                  line.text
                )}
                <span class="quiet"> {line.license}</span>
              </li>
            );
          })}
        </ul>
      </details>
    </aside>
  );
}
