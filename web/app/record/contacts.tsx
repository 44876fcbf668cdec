import type { Feature, Json } from "../../engine/index.ts";
import { type Link, listOf, mailLink, phoneLink, text, textOf, textsOf, webLink } from "../text/index.ts";

/** Ways to reach the place; what is no safe link is shown as text. */
export function Contacts({ properties }: { properties: Feature["properties"] }) {
  const made = (key: string, make: (text: string) => Link | undefined) =>
    listOf(properties[key]).flatMap((value) => {
      const contact = textOf(value);
      return contact ? [{ contact, link: make(contact) }] : [];
    });
  const contacts = [
    ...made("websites", webLink),
    ...made("phones", phoneLink),
    ...made("emails", mailLink),
    ...made("socials", webLink),
  ];
  if (contacts.length === 0) return null;
  return (
    <ul class="contacts" aria-label={text("detail.contacts")}>
      {contacts.map(({ contact, link }) => (
        <li key={contact}>
          {link ? (
            <a href={link.href} dir="ltr" target="_blank" rel="noopener noreferrer">
              {link.text}
            </a>
          ) : (
            contact
          )}
        </li>
      ))}
    </ul>
  );
}

/** Postal addresses, as the source gives them. */
export function Addresses({ addresses }: { addresses: readonly Json[] }) {
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
