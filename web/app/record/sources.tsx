import type { Json } from "../../engine/index.ts";
import { dataset } from "../state/index.ts";
import { text, textsOf, webLink } from "../text/index.ts";

/** Where the record comes from, under which licence. */
export function Sources({ sources }: { sources: readonly Json[] }) {
  if (sources.length === 0) return null;
  const known = new Map((dataset.value?.attribution ?? []).map((line) => [line.dataset, line]));
  return (
    <details>
      <summary>{text("detail.sources")}</summary>
      <ul class="sources">
        {sources.map((source) => {
          const { dataset: name = text("detail.notNamed"), license, record_id: record, property } = textsOf(source);
          const line = known.get(name);
          const link = line?.url === undefined ? undefined : webLink(line.url);
          const words = [license ?? line?.license, record, property && text("detail.sourceFor", { property })];
          return (
            <li key={JSON.stringify(source)}>
              <strong>{name}</strong>
              {link && line && (
                <a href={link.href} target="_blank" rel="noopener noreferrer">
                  {line.text}
                </a>
              )}
              <span class="quiet">{words.filter(Boolean).join(" · ")}</span>
            </li>
          );
        })}
      </ul>
    </details>
  );
}
