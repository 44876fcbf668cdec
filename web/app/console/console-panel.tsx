import { useEffect, useRef } from "preact/hooks";
import type { ConsoleTable } from "../../hosts/browser/protocol/index.ts";
import { formatBytes, text } from "../text/index.ts";
import { PanelFrame } from "../widgets/index.ts";
import { engineParts } from "../worker/index.ts";
import { activity, beginAnew, prepare, run, sql, stop, tables } from "./console-state.ts";
import { examplesFor } from "./examples.ts";
import { OutcomeView } from "./outcome-view.tsx";
import "../styles/console.css";

/** SQL over the rows that searches have loaded: what to write, what came of it, and which tables there are. */
export function ConsolePanel({ onClose }: { onClose: () => void }) {
  useEffect(() => void prepare(), []);
  return (
    <PanelFrame title={text("panel.console")} kind="beside" onClose={onClose}>
      <p class="quiet">{text("console.about")}</p>
      <Editor />
      <OutcomeView />
      {tables.value && <Examples tables={tables.value} />}
      {tables.value && <Tables tables={tables.value} />}
    </PanelFrame>
  );
}

/** Its buttons are never disabled in earnest: one that is loses the focus. */
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
        aria-label={text("console.sql")}
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
        <button type="button" aria-disabled={isBusy} onClick={() => !isBusy && void beginAnew()}>
          {text("console.anew")}
        </button>
        {kind === "running" && (
          <button
            type="button"
            onClick={() => {
              stop();
              // This button goes, and the focus would go with it.
              editor.current?.focus();
            }}
          >
            {text("console.stop")}
          </button>
        )}
        <button type="submit" class="primary" aria-disabled={kind === "running"}>
          {text("console.run")}
        </button>
      </div>
    </form>
  );
}

function activityText(): string {
  const now = activity.value;
  if (now === "idle") return text("console.keys");
  if (now !== "starting") return text(`console.${now}`);
  const { receivedBytes = 0, totalBytes = 0 } = engineParts.database.value ?? {};
  return text("console.starting", { received: formatBytes(receivedBytes), total: formatBytes(totalBytes) });
}

function Examples({ tables }: { tables: readonly ConsoleTable[] }) {
  const examples = examplesFor(tables);
  if (examples.length === 0) return <p>{text("console.noRows")}</p>;
  return (
    <section>
      <h3>{text("console.examples")}</h3>
      <div class="chips">
        {examples.map((example) => (
          <button
            key={example.name}
            type="button"
            class="chip"
            aria-disabled={activity.value === "running"}
            onClick={() => {
              if (activity.peek() === "running") return;
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

function Tables({ tables }: { tables: readonly ConsoleTable[] }) {
  return (
    <section>
      <h3>{text("console.tables")}</h3>
      {tables.map(({ name, rows, columns }) => (
        <details key={name} class="console-table">
          <summary>
            <code>{name}</code> <span class="quiet">{text("console.rows", { count: rows })}</span>
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
