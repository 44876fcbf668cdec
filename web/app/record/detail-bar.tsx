import type { Feature } from "../../engine/contract/query.ts";
import { found, placeOf, select } from "../state/index.ts";
import { text } from "../text/index.ts";
import { Step } from "../widgets/index.ts";

/** Back to the list, and to the records before and after this one on its page. */
export function DetailBar({ record, onClose }: { record: Feature; onClose: () => void }) {
  const list = found.value;
  const index = list && !list.alone ? placeOf(list, record.id) : undefined;
  const before = list?.records[(index ?? 0) - 1];
  const after = list?.records[(index ?? 0) + 1];
  return (
    <div class="detail-bar">
      <button type="button" class="back" onClick={onClose}>
        <span class="back-arrow" aria-hidden="true" />
        {text(list?.alone ? "record.start" : "detail.back")}
      </button>
      {list && index !== undefined && (
        <>
          <span class="quiet">
            {text("detail.position", { number: list.search.page * list.search.limit + index + 1, total: list.total })}
          </span>
          <Step label={text("detail.previous")} kind="back" isOff={!before} onClick={() => select(before?.id)} />
          <Step label={text("detail.next")} kind="forward" isOff={!after} onClick={() => select(after?.id)} />
        </>
      )}
    </div>
  );
}
