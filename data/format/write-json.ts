/** Writes compact, readable JSON: values nested less than three levels deep are on one line. */
export function writeJson(value: unknown, indent = ""): string {
  if (typeof value !== "object" || value === null || heightOf(value) < 3) return JSON.stringify(value);
  const inner = `${indent} `;
  if (Array.isArray(value)) return `[\n${value.map((item) => inner + writeJson(item, inner)).join(",\n")}\n${indent}]`;
  const members = Object.entries(value).map(
    ([key, item]) => `${inner}${JSON.stringify(key)}: ${writeJson(item, inner)}`,
  );
  return `{\n${members.join(",\n")}\n${indent}}`;
}

function heightOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  return 1 + Object.values(value).reduce<number>((height, member) => Math.max(height, heightOf(member)), 0);
}
