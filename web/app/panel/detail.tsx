import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { Feature, Json } from "../../engine/query.ts";
import { select } from "../state/session.ts";
import { languageName } from "../text/languages.ts";
import { type Link, mailLink, phoneLink, webLink } from "../text/links.ts";
import { formatDistance } from "../text/numbers.ts";
import { distanceOf, listOf, objectOf, recordSubtitle, recordTitle, textOf, textsOf } from "../text/record-text.ts";
import { Facts } from "./facts.tsx";

/** Everything known about one record. */
export function Detail({ record }: { record: Feature }) {
  const { properties } = record;
  const back = useRef<HTMLButtonElement>(null);
  useEffect(() => back.current?.focus(), []);
  const distance = distanceOf(record);
  return (
    <article
      class="detail"
      aria-label={recordTitle(record)}
      onKeyDown={(event) => {
        if (event.key === "Escape") close(record.id);
      }}
    >
      <button type="button" ref={back} class="back" onClick={() => close(record.id)}>
        ‹ Back to the list
      </button>
      <h2 dir="auto">{recordTitle(record)}</h2>
      <p class="quiet" dir="auto">
        {[recordSubtitle(record), distance !== undefined && `${formatDistance(distance)} away`]
          .filter(Boolean)
          .join(" · ")}
      </p>
      <Contacts properties={properties} />
      <Addresses addresses={listOf(properties.addresses)} />
      <Facts properties={properties} />
      <Names common={textsOf(objectOf(properties.names)?.common)} />
      <Sources sources={listOf(properties.sources)} />
      <Identity record={record} />
    </article>
  );
}

/** Back to the list, with the focus where it came from. */
function close(id: string): void {
  select(undefined);
  requestAnimationFrame(() => {
    document.querySelector<HTMLElement>(`.result[data-id="${CSS.escape(id)}"]`)?.focus();
  });
}

function Contacts({ properties }: { properties: Feature["properties"] }) {
  const made = (key: string, make: (text: string) => Link | undefined) =>
    listOf(properties[key]).flatMap((value) => {
      const text = textOf(value);
      return text ? [{ text, link: make(text) }] : [];
    });
  const contacts = [
    ...made("websites", webLink),
    ...made("phones", phoneLink),
    ...made("emails", mailLink),
    ...made("socials", webLink),
  ];
  if (contacts.length === 0) return null;
  return (
    <ul class="contacts" aria-label="Contacts">
      {contacts.map(({ text, link }) => (
        <li key={text}>
          {link ? (
            <a href={link.href} target="_blank" rel="noopener noreferrer">
              {link.text}
            </a>
          ) : (
            text
          )}
        </li>
      ))}
    </ul>
  );
}

function Addresses({ addresses }: { addresses: readonly Json[] }) {
  return (
    <>
      {addresses.map((address) => {
        const { freeform, locality, region, postcode, country } = textsOf(address);
        const lines = [freeform, [postcode, locality, region].filter(Boolean).join(" "), country].filter(Boolean);
        return (
          <address key={lines.join()} dir="auto">
            {lines.join(", ")}
          </address>
        );
      })}
    </>
  );
}

function Names({ common }: { common: Readonly<Record<string, string>> }) {
  const names = Object.entries(common);
  if (names.length === 0) return null;
  return (
    <details>
      <summary>Names in {names.length === 1 ? "one language" : `${names.length} languages`}</summary>
      <dl class="facts">
        {names.map(([language, name]) => (
          <div key={language}>
            <dt>{languageName(language)}</dt>
            <dd lang={language} dir="auto">
              {name}
            </dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

function Sources({ sources }: { sources: readonly Json[] }) {
  if (sources.length === 0) return null;
  return (
    <details>
      <summary>Sources</summary>
      <ul class="sources">
        {sources.map((source) => {
          const { dataset = "not named", license, record_id: record, property } = textsOf(source);
          return (
            <li key={JSON.stringify(source)}>
              <strong>{dataset}</strong> {[license, record, property && `for ${property}`].filter(Boolean).join(" · ")}
            </li>
          );
        })}
      </ul>
    </details>
  );
}

function Identity({ record }: { record: Feature }) {
  const isCopied = useSignal(false);
  return (
    <>
      <p class="identity">
        <code>{record.id}</code>
        <button
          type="button"
          onClick={() => {
            void navigator.clipboard?.writeText(record.id).then(() => {
              isCopied.value = true;
            });
          }}
        >
          {isCopied.value ? "Copied" : "Copy id"}
        </button>
      </p>
      <details>
        <summary>JSON</summary>
        <pre>{JSON.stringify(record, null, 2).slice(0, MAX_JSON_CHARS)}</pre>
      </details>
    </>
  );
}

// A country's outline has a hundred thousand numbers; nobody reads them here.
const MAX_JSON_CHARS = 20_000;
