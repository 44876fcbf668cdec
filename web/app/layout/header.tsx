import { SavedAreasBadge } from "../saved-areas/index.ts";
import { LocateButton, SearchBox } from "../search/index.ts";
import { text } from "../text/index.ts";
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
      <SavedAreasBadge />
      <Menu />
    </header>
  );
}
