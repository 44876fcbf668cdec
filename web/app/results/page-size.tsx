import { PAGE_SIZES } from "../address/index.ts";
import { type Found, search } from "../state/index.ts";
import { text } from "../text/index.ts";

/** How many results a page holds. A change keeps the first of this page on the next one. */
export function PageSize({ found }: { found: Found }) {
  const { page, limit } = found.search;
  return (
    <label class="page-size">
      <span class="visually-hidden">{text("pager.size")}</span>
      <select
        value={limit}
        onChange={(event) => {
          const size = PAGE_SIZES.find((known) => String(known) === event.currentTarget.value) ?? PAGE_SIZES[0];
          search({ ...found.search, page: Math.floor((page * limit) / size), limit: size });
        }}
      >
        {PAGE_SIZES.map((size) => (
          <option key={size} value={size}>
            {text("pager.sizeOption", { size })}
          </option>
        ))}
      </select>
    </label>
  );
}
