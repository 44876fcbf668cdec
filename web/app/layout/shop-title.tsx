import { mapSettings } from "../state/index.ts";
import { text } from "../text/index.ts";

/** The owner's logo and title above the search of a map of shops. */
export function ShopTitle() {
  const { title = text("app.name"), shop } = mapSettings;
  if (!shop) return null;
  return (
    <h1 class="shop-title">
      <a href="#/">
        {shop.logo !== undefined && <img src={`./${shop.logo}`} alt="" />}
        <span dir="auto">{title}</span>
      </a>
    </h1>
  );
}
