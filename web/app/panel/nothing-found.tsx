import type { Search } from "../state/search.ts";
import { text } from "../text/text.ts";

/** Says why a search may have found nothing. */
export function NothingFound({ search: { centre, country } }: { search: Search }) {
  return (
    <div class="note">
      <h2>{text("results.none")}</h2>
      <p>
        {text(centre ? "results.emptyCircle" : "results.emptyCountry")}{" "}
        {centre && country && text("results.emptyCountryToo")}
      </p>
    </div>
  );
}
