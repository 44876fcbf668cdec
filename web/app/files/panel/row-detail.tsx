import { useLayoutEffect, useRef } from "preact/hooks";
import { bboxOf } from "../../../../data/format/geometry.ts";
import { Facts } from "../../record/index.ts";
import { text } from "../../text/index.ts";
import { ZoomButton } from "../../widgets/index.ts";
import { type openRow as OpenRow, openRow, ownFiles } from "../index.ts";

/** The properties of one row of a file, all of them as text. */
export function RowDetail({ row: { feature, row, file, title } }: { row: NonNullable<typeof OpenRow.value> }) {
  const back = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => back.current?.focus(), []);
  const bbox = bboxOf(feature.geometry);
  return (
    <article class="file-row">
      <div class="actions is-start">
        <button
          ref={back}
          type="button"
          onClick={() => {
            openRow.value = undefined;
          }}
        >
          {text("detail.back")}
        </button>
        {bbox && <ZoomButton bbox={bbox} />}
      </div>
      {title !== undefined && <h3 dir="auto">{title}</h3>}
      <p class="quiet" dir="auto">
        {text("files.row", { number: row + 1 })} · {ownFiles.value.find(({ id }) => id === file)?.name}
      </p>
      <Facts properties={feature.properties} isOwn />
    </article>
  );
}
