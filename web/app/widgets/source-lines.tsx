import type { Attribution } from "../../../data/format/manifest.ts";
import { webLink } from "../text/index.ts";

/** The sources of the dataset with links and licences, as items of a list. */
export function SourceLines({ lines }: { readonly lines: readonly Attribution[] }) {
  return lines.map((line) => {
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
  });
}
