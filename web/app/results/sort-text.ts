import { writtenName } from "../../../data/format/own-collections.ts";
import { columnOfSort, type Path, type Sort } from "../address/index.ts";
import { text } from "../text/index.ts";

/** Returns the order in words: by name, by confidence, or by a column of a collection with its own schema. */
export function sortText(path: Path, sort: Sort): string {
  const found = columnOfSort(path, sort);
  if (found) return text(found.isDescending ? "sort.down" : "sort.up", { column: writtenName(found.column) });
  return text(sort === "confidence" ? "sort.confidence" : "sort.name");
}
