import { PAGE_SIZES } from "../state/search.ts";
import { type Found, search } from "../state/session.ts";
import { formatCount } from "../text/numbers.ts";

/** Next, previous, which page of how many, and how large pages are. */
export function Pager({ found }: { found: Found }) {
  const { page, limit } = found.search;
  const pages = Math.max(1, Math.ceil(found.total / limit));
  const go = (next: number) => search({ ...found.search, page: next });
  return (
    <nav class="pager" aria-label="Pages of results">
      <button type="button" disabled={page === 0} onClick={() => go(Math.min(page, pages) - 1)}>
        Previous
      </button>
      <span>
        Page {formatCount(page + 1)} of {formatCount(pages)}
      </span>
      <button type="button" disabled={page + 1 >= pages} onClick={() => go(page + 1)}>
        Next
      </button>
      <label class="page-size">
        <span class="visually-hidden">Results per page</span>
        <select
          value={limit}
          onChange={(event) => {
            const size = PAGE_SIZES.find((known) => String(known) === event.currentTarget.value) ?? PAGE_SIZES[0];
            search({ ...found.search, page: 0, limit: size });
          }}
        >
          {PAGE_SIZES.map((size) => (
            <option key={size} value={size}>
              {size} a page
            </option>
          ))}
        </select>
      </label>
    </nav>
  );
}
