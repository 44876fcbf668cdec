import { PATHS, type Path } from "../address/index.ts";
import { text } from "../text/index.ts";

/** One of the six search paths. */
export function TypeChips({ value, onChange }: { value: Path; onChange: (path: Path) => void }) {
  return (
    <fieldset class="chips">
      <legend class="visually-hidden">{text("search.types")}</legend>
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
          {text(`path.${path}`)}
        </label>
      ))}
    </fieldset>
  );
}
