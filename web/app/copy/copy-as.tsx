import { bboxOf } from "../../../data/format/geometry.ts";
import type { Feature } from "../../engine/index.ts";
import { type RecordAddress, recordRestAddress, restAddress } from "../address/index.ts";
import { dataset, type Found, openConsole } from "../state/index.ts";
import { text } from "../text/index.ts";
import { CopyButton } from "../widgets/index.ts";
import { curlCommand, fetchCall } from "./calls.ts";
import { rowsSql } from "./console-sql.ts";
import { recordSql, searchSql } from "./sql.ts";

type Subject =
  | { readonly kind: "search"; readonly found: Found }
  | { readonly kind: "record"; readonly address: RecordAddress; readonly record: Feature };

/** Buttons that copy the search or the record in other forms, such as SQL. A drawn area has no REST URL. */
export function CopyAs({ title, subject }: { title: string; subject: Subject }) {
  const isRest = subject.kind === "record" || subject.found.search.area === undefined;
  const url = () => new URL(addressOf(subject), document.baseURI).href;
  return (
    <section class="copy-as" aria-label={title}>
      <h3>{title}</h3>
      {isRest && (
        <>
          <CopyButton label={text("copy.url")} make={url} />
          <CopyButton label={text("copy.curl")} make={() => curlCommand(url())} />
          <CopyButton label={text("copy.fetch")} make={() => fetchCall(url())} />
        </>
      )}
      <CopyButton label={text("copy.sql")} make={() => sqlOf(subject)} />
      {subject.kind === "search" && (
        <button type="button" onClick={() => openConsole(rowsSql(subject.found.records))}>
          {text("copy.console")}
        </button>
      )}
    </section>
  );
}

function addressOf(subject: Subject): string {
  return subject.kind === "record" ? recordRestAddress(subject.address) : restAddress(subject.found.search);
}

function sqlOf(subject: Subject): string {
  if (subject.kind === "record") return recordSql(subject.address, bboxOf(subject.record.geometry));
  const { search, records } = subject.found;
  const collections = new Set(dataset.peek()?.collections.map(({ name }) => name) ?? []);
  return searchSql({ search, collections, ids: records.map(({ id }) => id) });
}
