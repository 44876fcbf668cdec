import type { Feature } from "../../engine/index.ts";
import { contactsIn } from "../../map/record-view.tsx";
import type { Centre } from "../address/index.ts";
import { text } from "../text/index.ts";
import { CopyButton } from "../widgets/index.ts";
import { directionsTo } from "./elsewhere.ts";

interface Props {
  readonly properties: Feature["properties"];
  readonly centre: Centre | undefined;
  readonly title: string;
  /** Hash of the record's URL in this page; undefined if it has none. */
  readonly address: string | undefined;
}

/** The buttons of a record: directions, call, website and share. */
export function RecordActions({ properties, centre, title, address }: Props) {
  const linkOf = (name: "phones" | "websites") =>
    contactsIn(properties, [name]).find(({ link }) => link !== undefined)?.link?.href;
  const phone = linkOf("phones");
  const website = linkOf("websites");
  return (
    <div class="record-actions">
      {centre && <ActionLink icon="route" label={text("detail.route")} href={directionsTo(centre)} isFirst />}
      {phone && <ActionLink icon="call" label={text("detail.call")} href={phone} />}
      {website && <ActionLink icon="country" label={text("filter.has_contact.website")} href={website} />}
      {address !== undefined && <Share title={title} address={new URL(address, location.href).href} />}
    </div>
  );
}

interface ActionLinkProps {
  readonly icon: string;
  readonly label: string;
  readonly href: string;
  readonly isFirst?: boolean;
}

/** A link that opens in a new tab. */
function ActionLink({ icon, label, href, isFirst = false }: ActionLinkProps) {
  return (
    <a class={isFirst ? "action is-first" : "action"} href={href} target="_blank" rel="noopener noreferrer">
      <span class={`icon is-${icon}`} />
      {label}
    </a>
  );
}

/** Opens the system's dialog for sharing. Without one, copies the URL. */
function Share({ title, address }: { readonly title: string; readonly address: string }) {
  if (navigator.share === undefined) {
    return <CopyButton icon="share" label={text("detail.share")} make={() => address} />;
  }
  // the user knows that closing the dialog shares nothing
  const share = () => navigator.share({ title, url: address }).catch(() => {});
  return (
    <button type="button" class="action" onClick={() => void share()}>
      <span class="icon is-share" />
      {text("detail.share")}
    </button>
  );
}
