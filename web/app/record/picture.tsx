import { text, webLink } from "../text/index.ts";

/** A picture of the site itself is shown. Others are links, because the page contacts no other host. */
export function Picture({ address, title }: { readonly address: string; readonly title: string }) {
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

/** The address of a file of the site; undefined for another host. */
function ownAddress(address: string): string | undefined {
  try {
    const url = new URL(address, document.baseURI);
    const isPath = !/^[a-z][a-z0-9+.-]*:/i.test(address) && /[^/]\.(avif|gif|jpe?g|png|svg|webp)$/i.test(url.pathname);
    return url.origin === location.origin && (isPath || /^https?:/i.test(address)) ? url.href : undefined;
  } catch {
    return undefined;
  }
}
