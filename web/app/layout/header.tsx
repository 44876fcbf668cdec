import { Badge } from "../saved-areas/badge.tsx";
import { LocateButton } from "../search/locate-button.tsx";
import { SearchBox } from "../search/search-box.tsx";
import { text } from "../text/text.ts";
import { Menu } from "./menu.tsx";

/** The bar at the top: home, the search box, the reader's own location, the menu. */
export function Header() {
  return (
    <header class="bar">
      <h1>
        <a class="brand" href="#/" title={text("app.home")}>
          <img src="./icon.svg" alt={text("app.name")} width="24" height="24" />
        </a>
      </h1>
      <SearchBox />
      <LocateButton />
      <Badge />
      <Menu />
    </header>
  );
}
