import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { HoursAnswer } from "../../hosts/browser/protocol/index.ts";
import { changeText } from "../../map/hours-text.ts";
import { HoursTable } from "../../map/record-view.tsx";
import type { Centre } from "../address/index.ts";
import { locale, text } from "../text/index.ts";
import { useAnswer } from "../widgets/index.ts";
import { remote } from "../worker/index.ts";

interface Props {
  /** Opening hours as the record has them. */
  readonly hours: string;
  readonly centre: Centre | undefined;
  readonly country: string | undefined;
}

const MINUTE_MS = 60_000;

/** Whether it is open now, and the week. A text that is not understood is shown unchanged. */
export function Hours({ hours, centre, country }: Props) {
  const minute = useSignal(present());
  useEffect(() => {
    const timer = setInterval(() => {
      minute.value = present();
    }, MINUTE_MS / 4);
    return () => clearInterval(timer);
  }, [minute]);
  const answered = useAnswer(async (signal) => {
    const at = minute.value * MINUTE_MS;
    return centre && remote("hours", { text: hours, ...centre, country, at }, signal);
  });
  // the last answer stays until the next one
  const last = useRef<HoursAnswer | undefined>(undefined);
  if (answered && "value" in answered) last.current = answered.value;
  const answer = last.current;
  return (
    <section class="hours" aria-label={text("hours.title")}>
      {answer ? <Week answer={answer} /> : <p dir="auto">{`${text("hours.title")}: ${hours}`}</p>}
    </section>
  );
}

function Week({ answer }: { readonly answer: HoursAnswer }) {
  const { isOpen, zone, isOfPlace } = answer;
  const words = { text, locale: locale.value };
  const change = changeText(answer, words);
  const isOther = zone !== Intl.DateTimeFormat().resolvedOptions().timeZone;
  return (
    <>
      <p class="hours-now" data-open={isOpen}>
        <strong>{text(isOpen ? "hours.openNow" : "hours.closedNow")}</strong>
        {change && ` · ${change}`}
      </p>
      <details>
        <summary>{text("hours.title")}</summary>
        <HoursTable hours={answer} words={words} />
        {!isOfPlace && <p class="quiet">{text("hours.zoneDevice", { zone })}</p>}
        {isOfPlace && isOther && <p class="quiet">{text("hours.zonePlace", { zone })}</p>}
      </details>
    </>
  );
}

/** Returns the current time in whole minutes since 1970. */
function present(): number {
  return Math.floor(Date.now() / MINUTE_MS);
}
