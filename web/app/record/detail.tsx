import { useLayoutEffect, useRef } from "preact/hooks";
import { writtenName } from "../../../data/format/own-collections.ts";
import { representativePoint } from "../../../data/format/representative-point.ts";
import type { Feature } from "../../engine/index.ts";
import { addressOfRecord, type Centre, formatRecordAddress, type RecordAddress } from "../address/index.ts";
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
  rememberPosition,
  select,
  selected,
  zoomTo,
} from "../state/index.ts";
import {
  distanceOf,
  formatDistance,
  kindText,
  listOf,
  objectOf,
  recordSubtitle,
  recordTitle,
  text,
  textOf,
} from "../text/index.ts";
import { CopyButton, offsetWithin, Step, scrollerOf, WhatIsHere } from "../widgets/index.ts";
import { directionsTo, elsewhere } from "./elsewhere.ts";
import { Facts } from "./facts.tsx";
import { Hours } from "./hours.tsx";
import { ownParts } from "./own-parts.ts";
import { Picture } from "./picture.tsx";
import { RawJson } from "./raw-json.tsx";
import { Addresses, Categories, Contacts, Names, OperatingStatus, Sources } from "./sections.tsx";

/** Shows everything known about one record. */
export function Detail({ record }: { record: Feature }) {
  const { properties } = record;
  const article = useRef<HTMLElement>(null);
  useReturnPosition(found.value, record.id);
  // At once: a key pressed meanwhile would go to an element that is gone.
  useLayoutEffect(() => article.current?.querySelector<HTMLElement>(".back")?.focus(), []);
  // Another record starts at its top.
  useLayoutEffect(() => {
    const scroller = scrollerOf(article.current);
    scroller?.scrollTo({ top: offsetWithin(article.current, scroller) });
  }, [record.id]);
  const distance = distanceOf(record);
  const subtitle = [
    recordSubtitle(record),
    distance !== undefined && text("detail.away", { distance: formatDistance(distance) }),
  ];
  const address = addressOfRecord(record);
  const centre = centreOfRecord(record);
  const starred = address && centre && { ...address, ...centre, name: recordTitle(record), text: "" };
  const note = address && noteOf(address);
  const own = ownParts(properties);
  const hours = own?.hours ?? textOf(properties.opening_hours);
  const country = textOf(properties.country) ?? textOf(properties.ext_country);
  return (
    <article
      class="detail"
      ref={article}
      aria-label={recordTitle(record)}
      onKeyDown={(event) => {
        if (event.key === "Escape") closeDetail();
      }}
    >
      <DetailBar record={record} onClose={closeDetail} />
      <div>
        <h2 dir="auto">{recordTitle(record)}</h2>
        <p class="quiet" dir="auto">
          {subtitle.filter(Boolean).join(" · ")}
        </p>
      </div>
      <OperatingStatus properties={properties} />
      {hours !== undefined && <Hours key={`${record.id} ${hours}`} hours={hours} centre={centre} country={country} />}
      {own?.description !== undefined && (
        <p class="description" dir="auto">
          {own.description}
        </p>
      )}
      {own?.image !== undefined && <Picture address={own.image} title={recordTitle(record)} />}
      <div class="actions is-start">
        {centre && <RouteButton centre={centre} />}
        {starred && hasTools && <StarButton note={starred} />}
        <button type="button" onClick={() => zoomTo(record)}>
          {text("detail.zoom")}
        </button>
        {centre && hasTools && (
          <button type="button" onClick={() => searchAround(centre, recordTitle(record))}>
            {text("detail.around")}
          </button>
        )}
        {address && <ShareButton title={recordTitle(record)} address={formatRecordAddress(address)} />}
        {address && (
          <CopyButton
            label={text("detail.copyLink")}
            make={() => new URL(formatRecordAddress(address), location.href).href}
          />
        )}
      </div>
      {note && <NoteFields note={note} />}
      {centre && (
        <details>
          <summary>{text("detail.openIn")}</summary>
          <ul class="contacts">
            {elsewhere({ ...centre, name: recordTitle(record) }).map(({ key, href }) => (
              <li key={key}>
                <a href={href} target="_blank" rel="noopener noreferrer">
                  {text(key)}
                </a>
              </li>
            ))}
          </ul>
        </details>
      )}
      {centre && hasTools && <WhatIsHere title="here.record" centre={centre} />}
      <Contacts properties={properties} />
      <Addresses addresses={listOf(properties.addresses)} />
      <Categories properties={properties} />
      <Names names={objectOf(properties.names)} />
      <Facts properties={own?.others ?? properties} nameOf={own && ((name) => writtenName(name))} />
      <Sources sources={listOf(properties.sources)} />
      {hasTools && (
        <>
          <p class="identity">
            <code>{record.id}</code>
            <CopyButton label={text("detail.copyId")} make={() => record.id} />
          </p>
          {address && <CopyAs title={text("copy.as")} subject={{ kind: "record", address, record }} />}
          <RawJson record={record} />
        </>
      )}
    </article>
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

/** Opens directions in a new tab. */
function RouteButton({ centre }: { centre: Centre }) {
  return (
    <a class="button" href={directionsTo(centre)} target="_blank" rel="noopener noreferrer">
      {text("detail.route")}
    </a>
  );
}

/** The system's share dialog, if available. */
function ShareButton({ title, address }: { title: string; address: string }) {
  if (navigator.share === undefined) return null;
  // the user knows that closing the dialog shares nothing
  const share = () => navigator.share({ title, url: new URL(address, location.href).href }).catch(() => {});
  return (
    <button type="button" onClick={() => void share()}>
      {text("detail.share")}
    </button>
  );
}

/** Goes back to the view from which the record was opened: the list, or the start of the page. */
function closeDetail(): void {
  if (found.peek()?.alone) location.hash = "#/";
  else select(undefined);
}

/** Remembers the last record seen for the list, however quickly the user leaves it. */
function useReturnPosition(list: Found | undefined, id: string): void {
  useLayoutEffect(() => {
    const index = list && indexOf(list, id);
    if (list && index !== undefined) rememberPosition(list, { index, isLeft: true });
  }, [list, id]);
}

/** Buttons for the list, and for the records before and after this one on its page. */
function DetailBar({ record, onClose }: { record: Feature; onClose: () => void }) {
  const list = found.value;
  const index = list && !list.alone ? indexOf(list, record.id) : undefined;
  const before = list?.records[(index ?? 0) - 1];
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

/** A record opened by its own URL, or why it cannot be shown. */
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
