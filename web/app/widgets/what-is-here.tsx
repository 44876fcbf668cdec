import { readableCase } from "../../../data/format/address-line.ts";
import { type Centre, formatRecordAddress, pointedAddressOf } from "../address/index.ts";
import { distanceOf, formatDistance, language, recordTitle, text } from "../text/index.ts";
import { remote, savesData } from "../worker/index.ts";
import { Unfold } from "./unfold.tsx";
import { useRetried } from "./use-answer.ts";

/** What is at a position. Read when opened. */
export function WhatIsHere({ centre }: { centre: Centre }) {
  return (
    <Unfold title={text("here.title")}>
      {() => <Whereabouts key={`${centre.lat} ${centre.lon}`} centre={centre} />}
    </Unfold>
  );
}

/** The nearest address, street and place to a position, and the divisions that contain it. */
export function Whereabouts({ centre }: { centre: Centre }) {
  const { lat, lon } = centre;
  const { answer, retry } = useRetried((signal) =>
    remote("reverse", { lat, lon, language: language.peek(), hasDivisions: !savesData() }, signal),
  );
  if (!answer) return <p class="quiet">{text("status.searching")}</p>;
  if ("error" in answer) {
    return (
      <>
        <p class="fault" role="alert">
          {text("here.failed")}
        </p>
        <button type="button" onClick={retry}>
          {text("problem.retry")}
        </button>
      </>
    );
  }
  const found = answer.value;
  const near = (["address", "street", "place"] as const).flatMap((kind) => {
    const record = found[kind];
    const address = record && pointedAddressOf(record);
    return record && address ? [{ kind, record, address }] : [];
  });
  const within = found.divisions.map((division) => recordTitle(division));
  if (found.label === "" && near.length === 0) return <p class="quiet">{text("here.nothing")}</p>;
  return (
    <>
      <p dir="auto">
        <b>
          {found.label
            .split(", ")
            .map((part) => readableCase(part))
            .join(", ")}
        </b>
      </p>
      <dl class="facts">
        {near.map(({ kind, record, address }) => (
          <div key={kind}>
            <dt>{text(`here.${kind}`)}</dt>
            <dd dir="auto">
              <a href={formatRecordAddress(address)}>{recordTitle(record)}</a> (
              {formatDistance(distanceOf(record) ?? 0)})
            </dd>
          </div>
        ))}
        {within.length > 0 && (
          <div>
            <dt>{text("here.within")}</dt>
            <dd dir="auto">{within.join(" › ")}</dd>
          </div>
        )}
      </dl>
    </>
  );
}
