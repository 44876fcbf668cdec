/** Sections of a record's detail. Each shows one property, and nothing if the property is empty. @module */
import type { Feature, Json } from "../../engine/index.ts";
import { ContactList, contactsIn } from "../../map/record-view.tsx";
import { dataset } from "../state/index.ts";
import {
  humanize,
  kindText,
  language,
  languageName,
  listOf,
  type MessageKey,
  objectOf,
  recordAddresses,
  text,
  textOf,
  textsOf,
  webLink,
} from "../text/index.ts";

/** The main category of the place, then the alternate ones. */
export function Categories({ properties }: { properties: Feature["properties"] }) {
  const categories = objectOf(properties.categories);
  const all = [categories?.primary, ...listOf(categories?.alternate)].flatMap((value) => textOf(value ?? null) ?? []);
  if (all.length === 0) return null;
  return (
    <ul class="tags" aria-label={text("filter.categories")}>
      {[...new Set(all)].map((category) => (
        <li key={category}>{kindText(category)}</li>
      ))}
    </ul>
  );
}

const STATUS = {
  temporarily_closed: "filter.operating_status.temporarily_closed",
  permanently_closed: "filter.operating_status.permanently_closed",
} as const;

/** Says that the place is closed temporarily or permanently, if the record says so. */
export function OperatingStatus({ properties }: { properties: Feature["properties"] }) {
  const status = textOf(properties.operating_status);
  if (!status || status === "open") return null;
  const known = Object.entries(STATUS).find(([name]) => name === status)?.[1];
  return (
    <p class="operating-status" data-status={status}>
      {known ? text(known) : humanize(status)}
    </p>
  );
}

/** Contacts of the place; unsafe links are shown as text. */
export function Contacts({ properties }: { properties: Feature["properties"] }) {
  const contacts = contactsIn(properties, ["phones", "websites", "emails", "socials"]);
  return <ContactList contacts={contacts} label={text("detail.contacts")} />;
}

/** Postal addresses, in the order of their countries. */
export function Addresses({ record }: { record: Feature }) {
  return (
    <>
      {recordAddresses(record).map((lines) => (
        <address key={lines.join()}>
          {lines.map((line) => (
            <bdi key={line}>{line}</bdi>
          ))}
        </address>
      ))}
    </>
  );
}

/** Maximum number of names that are shown at once. The list of more names is collapsed. */
const MOST_OPEN = 6;

interface Name {
  /** Language of the name, BCP 47; undefined if the record does not say it. */
  readonly language: string | undefined;
  readonly label: string;
  readonly name: string;
}

/** The record's names in all languages, the user's first, then its other names. */
export function Names({ names }: { names: Readonly<Record<string, Json>> | undefined }) {
  const common = commonNames(textsOf(names?.common));
  const others = otherNames(listOf(names?.rules));
  const primary = textOf(names?.primary);
  if (common.length + others.length === 0) return null;
  const main = primary === undefined ? [] : [{ language: undefined, label: text("detail.primaryName"), name: primary }];
  return (
    <details open={common.length + others.length <= MOST_OPEN}>
      <summary>
        {common.length > 0 ? text("detail.names", { count: common.length }) : text("detail.otherNames")}
      </summary>
      <dl class="facts">
        {[...main, ...common, ...others].map(({ language: code, label, name }) => (
          <div key={`${label} ${name}`}>
            <dt>{label}</dt>
            <dd lang={code} dir="auto">
              {name}
            </dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

function commonNames(byLanguage: Readonly<Record<string, string>>): Name[] {
  const isMine = (name: Name) => name.language?.split("-")[0] === language.value;
  return Object.entries(byLanguage)
    .map(([code, name]) => ({ language: code, label: languageName(code), name }))
    .sort((a, b) => Number(isMine(b)) - Number(isMine(a)) || a.label.localeCompare(b.label, language.value));
}

const RULES: Readonly<Record<string, MessageKey>> = {
  common: "detail.rule.common",
  official: "detail.rule.official",
  alternate: "detail.rule.alternate",
  short: "detail.rule.short",
};

function otherNames(rules: readonly Json[]): Name[] {
  return rules.flatMap((rule) => {
    const { variant = "", value, language: code } = textsOf(rule);
    if (!value) return [];
    const kind = text(RULES[variant] ?? "detail.rule.alternate");
    return [{ language: code, label: code ? `${kind} · ${languageName(code)}` : kind, name: value }];
  });
}

/** The sources of the record and their licences. */
export function Sources({ sources }: { sources: readonly Json[] }) {
  if (sources.length === 0) return null;
  const known = new Map((dataset.value?.attribution ?? []).map((line) => [line.dataset, line]));
  return (
    <details>
      <summary>{text("detail.sources")}</summary>
      <ul class="sources">
        {sources.map((source) => {
          const { dataset: name = text("detail.notNamed"), license, record_id: record, property } = textsOf(source);
          const line = known.get(name);
          const link = line?.url === undefined ? undefined : webLink(line.url);
          const words = [license ?? line?.license, record, property && text("detail.sourceFor", { property })];
          return (
            <li key={JSON.stringify(source)}>
              <strong>{name}</strong>
              {link && line && (
                <a href={link.href} target="_blank" rel="noopener noreferrer">
                  {line.text}
                </a>
              )}
              <span class="quiet">{words.filter(Boolean).join(" · ")}</span>
            </li>
          );
        })}
      </ul>
    </details>
  );
}
