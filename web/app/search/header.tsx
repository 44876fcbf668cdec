import { Badge } from "../areas/badge.tsx";
import { Menu } from "../panel/menu.tsx";
import { text } from "../text/text.ts";
import { LocateButton } from "./locate-button.tsx";
import { SearchBox } from "./search-box.tsx";

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
