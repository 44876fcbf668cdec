import type { Path } from "../state/search.ts";
import { dataset } from "../state/session.ts";
import { countryName } from "../text/languages.ts";
import { formatCount } from "../text/numbers.ts";
import { PATH_TEXT } from "../text/paths.ts";

interface Props {
  readonly path: Path;
  /** Country code; empty for any. */
  readonly value: string;
  readonly onChange: (code: string) => void;
}

/** The countries that hold rows of the chosen kind, with how many. */
export function CountrySelect({ path, value, onChange }: Props) {
  const rows = countryRows(path);
  const options = [...rows]
    .map(([code, count]) => ({ code, name: countryName(code), count }))
    .sort((a, b) => a.name.localeCompare(b.name));
  return (
    <label class="field">
      <span>Country</span>
      <select value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        <option value="">Any country</option>
        {value && !rows.has(value) && <option value={value}>{countryName(value)} (0)</option>}
        {options.map(({ code, name, count }) => (
          <option key={code} value={code}>
            {name} ({formatCount(count)})
          </option>
        ))}
      </select>
    </label>
  );
}

function countryRows(path: Path): Map<string, number> {
  const rows = new Map<string, number>();
  for (const collection of dataset.value?.collections ?? []) {
    if (!PATH_TEXT[path].collections.includes(collection.name)) continue;
    for (const [code, count] of Object.entries(collection.countries)) rows.set(code, (rows.get(code) ?? 0) + count);
  }
  return rows;
}
