import { useEffect, useRef } from "preact/hooks";
import type { ConsoleTable } from "../../hosts/browser/protocol/index.ts";
import { collectionsOf } from "../address/index.ts";
import { ownFiles } from "../files/index.ts";
import { dataset, found } from "../state/index.ts";
import { formatBytes, formatCount, text } from "../text/index.ts";
import { PanelFrame } from "../widgets/index.ts";
import { engineParts } from "../worker/index.ts";
import { activity, agree, prepare, reading, restart, run, sql, stop, tables } from "./console-state.ts";
import { examplesFor, type Source } from "./examples.ts";
import { OutcomeView } from "./outcome-view.tsx";
import "../styles/console.css";

/** The SQL console: editor, cost, result, and the list of tables. */
export function ConsolePanel({ onClose }: { onClose: () => void }) {
  useEffect(() => void prepare(), []);
  return (
    <PanelFrame title={text("panel.console")} kind="beside" onClose={onClose}>
      <p class="quiet">{text("console.about")}</p>
      <Editor />
      {activity.value === "asking" ? <Question /> : <OutcomeView />}
      {tables.value && <Examples />}
      {tables.value && <Tables tables={tables.value} />}
    </PanelFrame>
  );
}

/**
 * The text field and the buttons. A button that cannot be used is only marked as disabled, because a disabled one loses the
 * focus.
 */
function Editor() {
  const editor = useRef<HTMLTextAreaElement>(null);
  const kind = activity.value;
  const isBusy = kind !== "idle";
  const submit = () => void run();
  return (
    <form
      class="console-editor"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <textarea
        ref={editor}
        dir="ltr"
        rows={6}
        spellcheck={false}
        autocapitalize="off"
        aria-label={text("copy.sql")}
        placeholder="SELECT count(*) FROM place"
        value={sql.value}
        onInput={(event) => {
          sql.value = event.currentTarget.value;
        }}
        onKeyDown={(event) => {
          if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
          event.preventDefault();
          submit();
        }}
      />
      <div class="console-actions">
        <span class="quiet" aria-live="polite">
          {activityText()}
        </span>
        <button type="button" aria-disabled={isBusy} onClick={() => !isBusy && void restart()}>
          {text("console.restart")}
        </button>
        {(kind === "running" || kind === "reading") && (
          <button
            type="button"
            onClick={() => {
              stop();
              // Otherwise the focus disappears with this button.
              editor.current?.focus();
            }}
          >
            {text("console.stop")}
          </button>
        )}
        <button type="submit" class="primary" aria-disabled={kind !== "idle" && kind !== "starting"}>
          {text("console.run")}
        </button>
      </div>
    </form>
  );
}

function activityText(): string {
  const now = activity.value;
  if (now === "idle") return text("console.keys");
  if (now === "asking") return "";
  if (now === "planning" || now === "running") return text(`console.${now}`);
  if (now === "reading") {
    const { read = 0, cost } = reading.value ?? {};
    const total = formatCount(cost?.partitions ?? 0);
    return text("console.reading", { read: formatCount(read), total, size: formatBytes(cost?.bytes ?? 0) });
  }
  const { receivedBytes = 0, totalBytes = 0 } = engineParts.database.value ?? {};
  return text("console.starting", { received: formatBytes(receivedBytes), total: formatBytes(totalBytes) });
}

function Question() {
  const first = useRef<HTMLButtonElement>(null);
  useEffect(() => first.current?.focus(), []);
  const { cost } = reading.value ?? {};
  if (!cost) return null;
  const { partitions: count, rows, bytes } = cost;
  return (
    <section>
      <p role="alert">{text("console.cost", { count, rows: formatCount(rows), size: formatBytes(bytes) })}</p>
      <div class="actions is-start">
        <button ref={first} type="button" class="primary" onClick={() => agree(true)}>
          {text("console.read")}
        </button>
        <button type="button" onClick={() => agree(false)}>
          {text("console.cancel")}
        </button>
      </div>
    </section>
  );
}

function Examples() {
  const examples = examplesFor(sources());
  if (examples.length === 0) return null;
  const isBusy = activity.value !== "idle" && activity.value !== "starting";
  return (
    <section>
      <h3>{text("console.examples")}</h3>
      <div class="chips">
        {examples.map((example) => (
          <button
            key={example.name}
            type="button"
            class="chip"
            aria-disabled={isBusy}
            onClick={() => {
              if (isBusy) return;
              sql.value = example.sql;
              void run();
            }}
          >
            {text(`console.example.${example.name}`)}
          </button>
        ))}
      </div>
    </section>
  );
}

/**
 * Returns the rows for the examples: those of the current search, or without one, for each table those of the country with the
 * fewest rows.
 */
function sources(): Source[] {
  const collections = dataset.value?.collections ?? [];
  const now = found.value;
  if (now && !now.alone && tables.value?.some(({ name }) => name === "found")) {
    const searched = collectionsOf(now.search.path, now.search.filters);
    return [{ from: "found", collections: searched.filter((name) => collections.some((has) => has.name === name)) }];
  }
  return collections.flatMap(({ name, countries }) => {
    const [least] = Object.entries(countries).sort(([, a], [, b]) => a - b);
    return least ? [{ from: name, collections: [name], country: least[0] }] : [];
  });
}

function Tables({ tables }: { tables: readonly ConsoleTable[] }) {
  return (
    <section>
      <h3>{text("console.tables")}</h3>
      {tables.map(({ name, rows, columns }) => (
        <details key={name} class="console-table">
          <summary>
            <code>{name}</code>{" "}
            <span class="quiet" dir="auto">
              {[sizeText(name, rows), ownFiles.value.find(({ table }) => table === name)?.name]
                .filter(Boolean)
                .join(" · ")}
            </span>
          </summary>
          <dl dir="ltr">
            {columns.map((column) => (
              <div key={column.name}>
                <dt>
                  <code>{column.name}</code>
                </dt>
                <dd>
                  <code>{column.type}</code>
                </dd>
              </div>
            ))}
          </dl>
        </details>
      ))}
    </section>
  );
}

function sizeText(name: string, rows: number | undefined): string {
  const count = rows ?? dataset.value?.collections.find((collection) => collection.name === name)?.rows;
  if (count !== undefined) return text("console.rows", { count });
  return name === "found" ? text("console.found") : "";
}
