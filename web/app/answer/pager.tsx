import { useSignal } from "@preact/signals";
import { PAGE_SIZES } from "../address/index.ts";
import { type Found, prefetch, search } from "../state/index.ts";
import { text } from "../text/index.ts";
import { Step } from "../widgets/index.ts";

/** First, previous, next and last page, and a page by number. */
export function Pager({ found }: { found: Found }) {
  const { page, limit } = found.search;
  const pages = Math.max(1, Math.ceil(found.total / limit));
  const at = (page: number) => ({ ...found.search, page: Math.max(0, Math.min(pages - 1, page)) });
  const go = (next: number) => search(at(next));
  const step = (next: number) => ({
    onClick: () => go(next),
    onPointer: (isHere: boolean) => prefetch(isHere ? at(next) : undefined),
  });
  return (
    <nav class="pager" aria-label={text("pager.name")}>
      <Step label={text("pager.first")} kind="first" isOff={page === 0} {...step(0)} />
      <Step label={text("pager.previous")} kind="back" isOff={page === 0} {...step(page - 1)} />
      <Jump key={page} page={page} pages={pages} onJump={go} />
      <Step label={text("pager.next")} kind="forward" isOff={page + 1 >= pages} {...step(page + 1)} />
      <Step label={text("pager.last")} kind="last" isOff={page + 1 >= pages} {...step(pages - 1)} />
    </nav>
  );
}

function Jump({ page, pages, onJump }: { page: number; pages: number; onJump: (page: number) => void }) {
  const typed = useSignal(String(page + 1));
  const refused = useSignal<string | undefined>(undefined);
  const jump = () => {
    const number = Number(typed.value);
    if (typed.value.trim() === "") typed.value = String(page + 1);
    else if (!Number.isInteger(number) || number < 1 || number > pages) refused.value = typed.value;
    else if (number !== page + 1) onJump(number - 1);
  };
  return (
    <form
      class="pager-jump"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        jump();
      }}
    >
      <label>
        <span>{text("pager.page")}</span>{" "}
        <input
          type="number"
          inputMode="numeric"
          min={1}
          max={pages}
          value={typed.value}
          disabled={pages === 1}
          onInput={(event) => {
            typed.value = event.currentTarget.value;
            refused.value = undefined;
          }}
          aria-invalid={refused.value !== undefined}
          onBlur={jump}
        />
      </label>{" "}
      <span>{text("pager.of", { pages })}</span>
      {refused.value !== undefined && (
        <p class="pager-fault" role="alert">
          {text("pager.noPage", { given: refused.value, pages })}
        </p>
      )}
    </form>
  );
}

/** Selects the number of results per page, and shows the page that contains the first result of the present page. */
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
