/** Parts of a record that the page and `<cairn-map>` show alike. @module */
import { listOf, textOf } from "../../data/format/json.ts";
import type { Feature } from "../engine/index.ts";
import type { HoursAnswer } from "../hosts/browser/protocol/index.ts";
import { dayName, dayText, type Words } from "./hours-text.ts";
import { type Link, mailLink, phoneLink, webLink } from "./links.ts";

const LINKS = { emails: mailLink, phones: phoneLink, socials: webLink, websites: webLink } as const;

export interface Contact {
  readonly text: string;
  /** Undefined if the text is no address that is safe to open. */
  readonly link: Link | undefined;
}

/** Returns the contacts in these columns, in the order of `names`. Empty if there are none. */
export function contactsIn(
  properties: Feature["properties"],
  names: readonly (keyof typeof LINKS)[],
): readonly Contact[] {
  return names.flatMap((name) =>
    listOf(properties[name]).flatMap((value) => {
      const text = textOf(value);
      return text ? [{ text, link: LINKS[name](text) }] : [];
    }),
  );
}

/** A list of contacts. Renders nothing without contacts. */
export function ContactList({ contacts, label }: { contacts: readonly Contact[]; label: string }) {
  if (contacts.length === 0) return null;
  return (
    <ul class="contacts" aria-label={label}>
      {contacts.map(({ text, link }) => (
        <li key={text}>
          {link ? (
            <a href={link.href} dir="ltr" target="_blank" rel="noopener noreferrer">
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

/** A table of the opening hours of a week. */
export function HoursTable({ hours: { week, today }, words }: { hours: HoursAnswer; words: Words }) {
  return (
    <table>
      <tbody>
        {week.map((spans, day) => (
          <tr key={day} aria-current={day === today ? "date" : undefined}>
            <th scope="row">{dayName(day, words.locale)}</th>
            <td>{dayText(spans, words)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
