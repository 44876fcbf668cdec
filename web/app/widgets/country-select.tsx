import { collectionsOf, type Search } from "../address/index.ts";
import { dataset } from "../state/index.ts";
import { countryName, formatCount, locale, text } from "../text/index.ts";

interface Props {
  readonly search: Search;
  readonly onChange: (code: string | undefined) => void;
}

/** The countries with rows of the chosen kind, and their numbers. */
export function CountrySelect({ search, onChange }: Props) {
  const { country = "" } = search;
  const rows = countryRows(search);
  const options = [...rows]
    .map(([code, count]) => ({ code, name: countryName(code), count }))
    .sort((a, b) => a.name.localeCompare(b.name, locale.value));
  return (
    <label class="field">
      <span>{text("where.country")}</span>
      <select value={country} onChange={(event) => onChange(event.currentTarget.value || undefined)}>
        <option value="">{text("where.anyCountry")}</option>
        {country && !rows.has(country) && (
          <option value={country}>
            {countryName(country)} ({formatCount(0)})
          </option>
        )}
        {options.map(({ code, name, count }) => (
          <option key={code} value={code}>
            {name} ({formatCount(count)})
          </option>
        ))}
      </select>
    </label>
  );
}

/** Returns rows of the chosen kind by country, ignoring filters except types. */
export function countryRows({ path, filters }: Search): Map<string, number> {
  const rows = new Map<string, number>();
  const searched = collectionsOf(path, filters);
  for (const collection of dataset.value?.collections ?? []) {
    if (!searched.includes(collection.name)) continue;
    for (const [code, count] of Object.entries(collection.countries)) rows.set(code, (rows.get(code) ?? 0) + count);
  }
  return rows;
}
