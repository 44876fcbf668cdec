import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { HoursAnswer } from "../../hosts/browser/protocol/index.ts";
import type { Centre } from "../address/index.ts";
import { locale, text } from "../text/index.ts";
import { useAnswer } from "../widgets/index.ts";
import { remote } from "../worker/index.ts";

interface Props {
  /** As the table has it. */
  readonly hours: string;
  readonly centre: Centre | undefined;
  readonly country: string | undefined;
}

const MINUTE_MS = 60_000;
const DAY_MINUTES = 1440;

/** The opening hours of one record: whether it is open now, and the week. A text that is not understood is shown as it is. */
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
  const { week, today, isOpen, zone, isOfPlace } = answer;
  const isOther = zone !== Intl.DateTimeFormat().resolvedOptions().timeZone;
  return (
    <>
      <p class="hours-now" data-open={isOpen}>
        <strong>{text(isOpen ? "hours.openNow" : "hours.closedNow")}</strong>
        {changeText(answer) && ` · ${changeText(answer)}`}
      </p>
      <details>
        <summary>{text("hours.title")}</summary>
        <table>
          <tbody>
            {week.map((spans, day) => (
              <tr key={day} aria-current={day === today ? "date" : undefined}>
                <th scope="row">{dayName(day)}</th>
                <td>{spans.length === 0 ? text("hours.dayClosed") : spans.map(spanText).join(", ")}</td>
              </tr>
            ))}
          </tbody>
        </table>
        {!isOfPlace && <p class="quiet">{text("hours.zoneDevice", { zone })}</p>}
        {isOfPlace && isOther && <p class="quiet">{text("hours.zonePlace", { zone })}</p>}
      </details>
    </>
  );
}

function changeText({ isOpen, change }: HoursAnswer): string | undefined {
  if (!change) return isOpen ? text("hours.always") : undefined;
  const time = clockText(change.minute);
  if (change.inDays === 0 || (isOpen && change.inDays === 1 && change.minute < DAY_MINUTES / 2))
    return text(isOpen ? "hours.closes" : "hours.opens", { time });
  return text(isOpen ? "hours.closesLater" : "hours.opensLater", { time, day: dayName(change.day) });
}

function spanText({ start, end }: { readonly start: number; readonly end: number }): string {
  return `${clockText(start)}–${clockText(end)}`;
}

/** In the reader's format. */
function clockText(minute: number): string {
  const date = new Date(Date.UTC(2024, 0, 1, 0, minute));
  return date.toLocaleTimeString(locale.value, { timeZone: "UTC", hour: "numeric", minute: "2-digit" });
}

/** From Monday, 0. */
function dayName(day: number): string {
  return new Date(Date.UTC(2024, 0, 1 + day)).toLocaleDateString(locale.value, { timeZone: "UTC", weekday: "long" });
}

/** The number of the present minute. */
function present(): number {
  return Math.floor(Date.now() / MINUTE_MS);
}
