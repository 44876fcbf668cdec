import { FILTERS, type FilterName, filterNamed } from "../../../../data/format/filters.ts";
import type { ColumnUse, OwnFile } from "../../../hosts/browser/protocol/index.ts";
import { text } from "../../text/index.ts";

/** What is searched, each with the file's own columns: `Name (titel), Country (cc)`. */
export function usesText({ columns }: OwnFile): string {
  return columns.map(({ use, names }) => `${useText(use)} (${names.join(", ")})`).join(", ") || "–";
}

export function unaskedText(uses: readonly ColumnUse[]): string {
  return uses.map(useText).join(", ");
}

function useText(use: ColumnUse): string {
  if (use === "country") return text("where.country");
  const names = Object.keys(FILTERS) as FilterName[];
  const name = names.find((one) => {
    const filter = filterNamed(one);
    return filter.kind === "least" ? filter.column === use : filter.facet === use;
  });
  return name === undefined ? use : text(`filter.${name}`);
}
