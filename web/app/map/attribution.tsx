import { dataset } from "../state/session.ts";
import { webLink } from "../text/links.ts";

/** Who made the data shown: one line for each source the dataset names. */
export function Attribution() {
  const lines = new Map((dataset.value?.attribution ?? []).map((line) => [line.text, line]));
  const [first, ...others] = [...lines.values()];
  if (!first) return null;
  return (
    <aside class="attribution" aria-label="Attribution">
      <details>
        <summary>
          {first.text}
          {others.length > 0 && ` and ${others.length} more`}
        </summary>
        <ul>
          {[first, ...others].map(({ text, license, url }) => {
            const link = url && webLink(url);
            return (
              <li key={text}>
                {link ? (
                  <a href={link.href} target="_blank" rel="noopener">
                    {text}
                  </a>
                ) : (
                  text
                )}
                <span class="quiet"> {license}</span>
              </li>
            );
          })}
        </ul>
      </details>
    </aside>
  );
}
