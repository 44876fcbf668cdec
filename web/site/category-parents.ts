/**
 * Writes the parent of each category of places: `npm run category-parents -- <hierarchies>`. The file has one of
 * Overture's hierarchies per line, such as `food_and_drink > restaurant > pizza_restaurant`, most frequent first.
 * Counts from posting lists need it, because they read no rows.
 * @module
 */
import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

const OUT = fileURLToPath(new URL("../hosts/browser/search/category-parents.json", import.meta.url));

const [file] = process.argv.slice(2);
if (!file) {
  console.error("npm run category-parents -- <file of hierarchies>");
  process.exit(2);
}
const parents = new Map<string, Set<string>>();
for (const line of (await readFile(file, "utf8")).split("\n")) {
  const levels = line.split(">").map((level) => level.trim());
  for (const [i, parent] of levels.slice(0, -1).entries()) {
    const category = levels[i + 1] ?? "";
    parents.set(category, (parents.get(category) ?? new Set()).add(parent));
  }
}
const lines = [...parents.keys()].sort().map((category) => {
  const above = [...(parents.get(category) ?? [])].join(" ");
  return `  ${JSON.stringify(category)}: ${JSON.stringify(above)}`;
});
await writeFile(OUT, `{\n${lines.join(",\n")}\n}\n`);
console.log(`${lines.length} categories`);
