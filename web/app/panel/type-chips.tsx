import { PATHS, type Path } from "../state/search.ts";
import { PATH_TEXT } from "../text/paths.ts";

/** One of the six search paths. */
export function TypeChips({ value, onChange }: { value: Path; onChange: (path: Path) => void }) {
  return (
    <fieldset class="chips">
      <legend class="visually-hidden">What to search for</legend>
      {PATHS.map((path) => (
        <label class="chip" key={path}>
          <input
            type="radio"
            name="path"
            value={path}
            checked={path === value}
            onChange={() => onChange(path)}
            class="visually-hidden"
          />
          {PATH_TEXT[path].label}
        </label>
      ))}
    </fieldset>
  );
}
