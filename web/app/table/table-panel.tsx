import { useSignal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import type { Feature } from "../../engine/index.ts";
import { choose, found, listedUntil, openPanel, select, selection, showMore } from "../state/index.ts";
import { formatCount, language, text } from "../text/index.ts";
import { Choice, CopyButton, PanelFrame } from "../widgets/index.ts";
import { columnsIn, sortedBy, type TableColumn, tabbed } from "./columns.ts";
import "../styles/table.css";

/** Number of columns that are shown at first. */
const FIRST_COLUMNS = 6;

/** The list of results as a table: chooses columns and order, selects records, and compares selected ones. */
export function TablePanel({ onClose }: { onClose: () => void }) {
  const list = found.value;
  return (
    <PanelFrame title={text("panel.table")} kind="beside" onClose={onClose}>
      {list && list.records.length > 0 ? (
        <Table key={list.search.path} path={list.search.path} records={list.records} />
      ) : (
        <p>{text("answer.none")}</p>
      )}
    </PanelFrame>
  );
}

interface TableProps {
  readonly path: string;
  readonly records: readonly Feature[];
}

function Table({ path, records }: TableProps) {
  const all = useMemo(() => columnsIn(path, records), [path, records, language.value]);
  const chosen = useSignal<readonly string[]>(all.slice(0, FIRST_COLUMNS).map(({ name }) => name));
  const order = useSignal<{ readonly name: string; readonly isDescending: boolean } | undefined>(undefined);
  const isComparing = useSignal(false);
  const columns = all.filter(({ name }) => chosen.value.includes(name));
  const sorting = all.find(({ name }) => name === order.value?.name);
  const isDescending = order.value?.isDescending ?? false;
  const rows = useMemo(
    () => (sorting ? sortedBy(records, sorting, { isDescending, language: language.value }) : records),
    [records, sorting, isDescending, language.value],
  );
  const selected = rows.filter(({ id }) => selection.value.has(id));
  return (
    <>
      <div class="actions is-start">
        <details class="table-columns">
          <summary>{text("table.columns", { count: columns.length })}</summary>
          {all.map(({ name, title }) => (
            <Choice
              key={name}
              type="checkbox"
              class="choice"
              label={title}
              isChosen={chosen.value.includes(name)}
              onChange={(isShown) => {
                chosen.value = isShown ? [...chosen.value, name] : chosen.value.filter((each) => each !== name);
              }}
            />
          ))}
        </details>
        <CopyButton
          label={text(selected.length > 0 ? "table.copySelected" : "table.copy")}
          make={() => tabbed(selected.length > 0 ? selected : rows, columns)}
        />
        <button type="button" onClick={() => openPanel("export")}>
          {text("panel.export")}
        </button>
        {(selected.length > 1 || isComparing.value) && (
          <button
            type="button"
            aria-pressed={isComparing.value}
            onClick={() => {
              isComparing.value = !isComparing.value;
            }}
          >
            {text("table.compare")}
          </button>
        )}
      </div>
      <p class="quiet" role="status">
        {text("export.selected", { count: selected.length })}
      </p>
      {isComparing.value && selected.length > 0 ? (
        <Compared records={selected} columns={all} />
      ) : (
        <Rows
          rows={rows}
          columns={columns}
          order={order.value}
          onOrder={(name) => {
            const isSame = order.value?.name === name;
            order.value = { name, isDescending: isSame && !order.value?.isDescending };
          }}
        />
      )}
      {found.value && listedUntil(found.value) < found.value.total && (
        <button type="button" onClick={() => void showMore()}>
          {text("results.more", { shown: listedUntil(found.value), total: found.value.total })}
        </button>
      )}
    </>
  );
}

interface RowsProps {
  readonly rows: readonly Feature[];
  readonly columns: readonly TableColumn[];
  readonly order: { readonly name: string; readonly isDescending: boolean } | undefined;
  readonly onOrder: (name: string) => void;
}

function Rows({ rows, columns, order, onOrder }: RowsProps) {
  const ids = rows.map(({ id }) => id);
  const isAll = ids.every((id) => selection.value.has(id));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be in reach of the keyboard
    <div class="table-scroller" tabIndex={0}>
      <table class="record-table">
        <thead>
          <tr>
            <td>
              <input
                type="checkbox"
                aria-label={text("table.all")}
                checked={isAll}
                indeterminate={!isAll && ids.some((id) => selection.value.has(id))}
                onChange={({ currentTarget }) => choose(ids, currentTarget.checked)}
              />
            </td>
            {columns.map(({ name, title }) => (
              <th
                key={name}
                scope="col"
                aria-sort={order?.name === name ? (order.isDescending ? "descending" : "ascending") : undefined}
              >
                <button type="button" onClick={() => onOrder(name)}>
                  {title}
                  {order?.name === name && <span aria-hidden="true">{order.isDescending ? " ↓" : " ↑"}</span>}
                </button>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((record, row) => (
            <tr key={record.id} data-selected={selection.value.has(record.id)}>
              <td>
                <input
                  type="checkbox"
                  aria-label={columns[0]?.textOf(record) || record.id}
                  checked={selection.value.has(record.id)}
                  onChange={({ currentTarget }) => choose([record.id], currentTarget.checked)}
                />
              </td>
              {columns.map((column, index) => (
                <td key={column.name} dir="auto">
                  {index === 0 ? (
                    <button type="button" class="table-name" onClick={() => select(record.id)}>
                      {column.textOf(record) || formatCount(row + 1)}
                    </button>
                  ) : (
                    column.textOf(record)
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The selected records next to each other, one per column. Rows whose values differ are marked. */
function Compared({
  records,
  columns: [name, ...others],
}: {
  records: readonly Feature[];
  columns: readonly TableColumn[];
}) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be in reach of the keyboard
    <div class="table-scroller" tabIndex={0}>
      <table class="record-table is-compared">
        <thead>
          <tr>
            <td />
            {records.map((record) => (
              <th key={record.id} scope="col" dir="auto">
                {name?.textOf(record)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {others.map((column) => {
            const cells = records.map((record) => column.textOf(record));
            return (
              <tr key={column.name} data-differs={new Set(cells).size > 1}>
                <th scope="row">{column.title}</th>
                {records.map((record, index) => (
                  <td key={record.id} dir="auto">
                    {cells[index] || "–"}
                  </td>
                ))}
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
