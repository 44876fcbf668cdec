import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { writtenName } from "../../../data/format/own-collections.ts";
import { representativePoint } from "../../../data/format/representative-point.ts";
import type { Feature } from "../../engine/index.ts";
import {
  addressOfRecord,
  type Centre,
  formatRecordAddress,
  pointedAddressOf,
  type RecordAddress,
} from "../address/index.ts";
import { CopyAs } from "../copy/index.ts";
import { NoteFields, StarButton } from "../notes/index.ts";
import {
  changeSearch,
  chosenLocation,
  type Found,
  firstNumberOf,
  found,
  hasTools,
  indexOf,
  isSearching,
  noteOf,
  raiseSheet,
  rememberPosition,
  select,
  selected,
  showMore,
  zoomTo,
} from "../state/index.ts";
import {
  distanceOf,
  formatDistance,
  kindText,
  listOf,
  objectOf,
  recordKind,
  recordTitle,
  text,
  textOf,
  webLink,
} from "../text/index.ts";
import { CopyButton, offsetWithin, Step, scrollerOf, Unfold, Whereabouts } from "../widgets/index.ts";
import { RecordActions } from "./actions.tsx";
import { elsewhere } from "./elsewhere.ts";
import { Facts } from "./facts.tsx";
import { Hours } from "./hours.tsx";
import { ownParts } from "./own-parts.ts";
import { Addresses, Categories, Contacts, Names, OperatingStatus, Sources } from "./sections.tsx";

/** Shows everything known about one record. */
export function Detail({ record }: { record: Feature }) {
  const { properties } = record;
  const article = useRef<HTMLElement>(null);
  useReturnPosition(found.value, record.id);
  // At once: a key pressed meanwhile would go to an element that is gone.
  useLayoutEffect(() => article.current?.querySelector<HTMLElement>(".back")?.focus(), []);
  useLayoutEffect(() => raiseSheet(), [record.id]);
  // Another record starts at its top.
  useLayoutEffect(() => {
    const scroller = scrollerOf(article.current);
    scroller?.scrollTo({ top: offsetWithin(article.current, scroller) });
  }, [record.id]);
  const distance = distanceOf(record);
  const title = recordTitle(record);
  const kind = [
    recordKind(record),
    distance !== undefined && text("detail.away", { distance: formatDistance(distance) }),
  ];
  const address = addressOfRecord(record);
  // with its point, so that it also opens from a saved area
  const shared = pointedAddressOf(record);
  const centre = centreOfRecord(record);
  const starred = address && centre && { ...address, ...centre, name: title, text: "" };
  const note = address && noteOf(address);
  const own = ownParts(properties);
  const hours = own?.hours ?? textOf(properties.opening_hours);
  const country = textOf(properties.country) ?? textOf(properties.ext_country);
  return (
    <article
      class="detail"
      ref={article}
      aria-label={title}
      onKeyDown={(event) => {
        if (event.key === "Escape") closeDetail();
      }}
    >
      <DetailBar record={record} onClose={closeDetail} />
      <div class="detail-head">
        <h2 dir="auto">{title}</h2>
        {starred && hasTools && <StarButton note={starred} />}
        <p class="quiet">
          <bdi>{kind.filter(Boolean).join(" · ")}</bdi>
        </p>
        <Addresses record={record} />
      </div>
      <OperatingStatus properties={properties} />
      {hours !== undefined && <Hours key={`${record.id} ${hours}`} hours={hours} centre={centre} country={country} />}
      <RecordActions
        properties={properties}
        centre={centre}
        title={title}
        address={shared && formatRecordAddress(shared)}
      />
      {note && <NoteFields note={note} />}
      {own?.image !== undefined && <Picture address={own.image} title={title} />}
      {own?.description !== undefined && (
        <p class="description" dir="auto">
          {own.description}
        </p>
      )}
      <Contacts properties={properties} />
      {own && <Facts properties={own.others} nameOf={(name) => writtenName(name)} />}
      {centre && <Nearby key={`nearby ${record.id}`} centre={centre} record={record} />}
      <Names names={objectOf(properties.names)} />
      {hasTools ? (
        // A road or a building has little else.
        <details open={properties.theme !== "places" && !own}>
          <summary>{text("detail.data")}</summary>
          <Categories properties={properties} />
          {!own && <Facts properties={properties} />}
          <Sources sources={listOf(properties.sources)} />
          <p class="identity">
            <code>{record.id}</code>
            <CopyButton label={text("detail.copyId")} make={() => record.id} />
          </p>
          {address && <CopyAs title={text("copy.as")} subject={{ kind: "record", address, record }} />}
          <RawJson record={record} />
        </details>
      ) : (
        <Sources sources={listOf(properties.sources)} />
      )}
    </article>
  );
}

/** Shows records near this one, and links to the same position in other programs. */
function Nearby({ centre, record }: { readonly centre: Centre; readonly record: Feature }) {
  const title = recordTitle(record);
  return (
    <Unfold title={text("detail.nearby")}>
      {() => (
        <>
          {hasTools && <Whereabouts centre={centre} />}
          <div class="actions is-start">
            {hasTools && (
              <button type="button" onClick={() => searchAround(centre, title)}>
                {text("detail.around")}
              </button>
            )}
            <button type="button" onClick={() => zoomTo(record)}>
              {text("detail.zoom")}
            </button>
          </div>
          <h3>{text("detail.openIn")}</h3>
          <ul class="contacts">
            {elsewhere({ ...centre, name: title }).map(({ key, href }) => (
              <li key={key}>
                <a href={href} target="_blank" rel="noopener noreferrer">
                  {text(key)}
                </a>
              </li>
            ))}
          </ul>
        </>
      )}
    </Unfold>
  );
}

function centreOfRecord({ geometry }: Feature): Centre | undefined {
  const [lon, lat] = representativePoint(geometry) ?? [];
  return lon === undefined || lat === undefined ? undefined : { lon, lat };
}

function searchAround(centre: Centre, name: string): void {
  chosenLocation.value = { name, isReader: false, centre, country: undefined, bbox: undefined };
  changeSearch({ centre, country: undefined });
}

/** Closes the detail: back to the list, or to the start of the page if the record was opened by its own URL. */
function closeDetail(): void {
  if (found.peek()?.alone) location.hash = "#/";
  else select(undefined);
}

/** Stores for the list that the record was opened, however quickly the user leaves it. */
function useReturnPosition(list: Found | undefined, id: string): void {
  useLayoutEffect(() => {
    const index = list && indexOf(list, id);
    if (list && index !== undefined) rememberPosition(list, { index, isLeft: true });
  }, [list, id]);
}

/** Buttons back to the list, and to the records before and after this one in the list. */
function DetailBar({ record, onClose }: { record: Feature; onClose: () => void }) {
  const list = found.value;
  const index = list && !list.alone ? indexOf(list, record.id) : undefined;
  const before = list?.records[(index ?? 0) - 1];
  const isNearEnd = list !== undefined && index !== undefined && index + 2 >= list.records.length;
  useEffect(() => {
    if (isNearEnd) void showMore();
  }, [isNearEnd]);
  const after = list?.records[(index ?? 0) + 1];
  return (
    <div class="detail-bar">
      <button type="button" class="back" onClick={onClose}>
        <span class="back-arrow" aria-hidden="true" />
        {text(list?.alone ? "empty.title" : "detail.back")}
      </button>
      {list && index !== undefined && (
        <>
          <span class="quiet">
            {text("detail.position", { number: firstNumberOf(list) + index, total: list.total })}
          </span>
          <Step label={text("detail.previous")} kind="back" isOff={!before} onClick={() => select(before?.id)} />
          <Step label={text("detail.next")} kind="forward" isOff={!after} onClick={() => select(after?.id)} />
        </>
      )}
    </div>
  );
}

/** Shows a record that was opened by its own URL, or why it cannot be shown. */
export function RecordAlone({ alone }: { alone: RecordAddress }) {
  if (selected.value) return <Detail record={selected.value} />;
  if (isSearching.value || !found.value) return <p class="hint">{text("record.loading")}</p>;
  const values = { type: kindText(alone.type), id: alone.id };
  return (
    <div class="note">
      <h2>{text("record.missing")}</h2>
      <p role="status">{text("record.missingWhat", values)}</p>
      <p>{text("record.missingHelp")}</p>
      <a href="#/">{text("empty.title")}</a>
    </div>
  );
}

/** Shows a picture if it is a file of the site. Others are links, because the page contacts no other host. */
function Picture({ address, title }: { readonly address: string; readonly title: string }) {
  const own = ownAddress(address);
  if (own !== undefined) return <img class="picture" src={own} alt={title} loading="lazy" />;
  const link = webLink(address);
  if (!link) return null;
  return (
    <p>
      <a href={link.href} target="_blank" rel="noopener noreferrer">
        {text("detail.picture")}
      </a>
    </p>
  );
}

/** Returns the URL of a file of the site; undefined for another host. */
function ownAddress(address: string): string | undefined {
  try {
    const url = new URL(address, document.baseURI);
    const isPath = !/^[a-z][a-z0-9+.-]*:/i.test(address) && /[^/]\.(avif|gif|jpe?g|png|svg|webp)$/i.test(url.pathname);
    return url.origin === location.origin && (isPath || /^https?:/i.test(address)) ? url.href : undefined;
  } catch {
    return undefined;
  }
}

/** Maximum length of JSON that is shown. The outline of a country has a hundred thousand numbers. */
const MOST_CHARS = 20_000;

/** The record as in the REST interface. */
function RawJson({ record }: { record: Feature }) {
  const make = () => JSON.stringify(record, null, 2);
  return (
    <Unfold title={text("export.format.json")}>
      {() => (
        <>
          <CopyButton label={text("detail.copyJson")} make={make} />
          <Text json={make()} />
        </>
      )}
    </Unfold>
  );
}

function Text({ json }: { json: string }) {
  return (
    <>
      {json.length > MOST_CHARS && (
        <p class="quiet">{text("detail.jsonCut", { shown: MOST_CHARS, total: json.length })}</p>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be in reach of the keyboard */}
      <pre tabIndex={0}>{json.slice(0, MOST_CHARS)}</pre>
    </>
  );
}
