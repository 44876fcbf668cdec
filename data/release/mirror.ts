/**
 * Where releases are: in Overture's catalogue, or in a mirror, which has all its files below one address.
 * @module
 */
import { OVERTURE_CATALOG } from "../format/overture-hosts.ts";
import { RemoteError } from "./remote.ts";

/** Where releases are: the address of a catalogue, and whether it is another one than Overture's own. */
export interface Mirror {
  readonly catalog: string;
  readonly isMirror: boolean;
}

/**
 * Returns the mirror with the catalogue at this address. Appends `catalog.json` to an address that does not end with
 * `.json`. Overture's own catalogue is no mirror.
 */
export function mirrorAt(address: string): Mirror {
  const catalog = /\.json$/.test(address) ? address : `${address.replace(/\/?$/, "/")}catalog.json`;
  return { catalog, isMirror: catalog !== OVERTURE_CATALOG };
}

/** Functions of `locateIn` that return the address of a link `href` in the document at `in_`. */
export interface Locate {
  readonly document: (href: string, in_: string) => string;
  readonly file: (href: string, in_: string) => string;
}

/**
 * Returns functions that resolve a link (`href`) in a document of the catalogue (`in_` is its address): `document` to
 * another document, `file` to a data file. `self` is the address that the root catalogue states as its own. Both throw
 * `RemoteError` for addresses outside of a mirror, and for protocols other than HTTP.
 */
export function locateIn({ catalog, isMirror }: Mirror, self: string | undefined): Locate {
  const base = new URL(".", catalog).href;
  const said = new URL(".", self ?? catalog).href;
  /** Replaces the address in the catalogue by its actual one. */
  const here = (address: string): string | undefined => {
    if (address.startsWith(base)) return address;
    return address.startsWith(said) ? base + address.slice(said.length) : undefined;
  };
  const checked = (address: string): string => {
    const { protocol } = new URL(address);
    if (protocol === "https:" || protocol === "http:" || (protocol === "file:" && address.startsWith(base)))
      return address;
    throw new RemoteError(`${catalog} names ${address}: expected an address of https: or http:`);
  };
  return {
    document: (href, at) => {
      const address = new URL(href, at).href;
      const found = here(address) ?? (isMirror ? undefined : address);
      if (found === undefined) throw new RemoteError(`${catalog} leads to ${address}, out of the mirror`);
      return checked(found);
    },
    file: (href, at) => {
      const address = new URL(href, at).href;
      const inMirror = here(address);
      if (inMirror !== undefined || !isMirror) return checked(inMirror ?? address);
      const path = /\/(release\/.*)$/.exec(address)?.[1];
      if (path === undefined) throw new RemoteError(`${catalog} names ${address}: expected a file below release/`);
      return checked(base + path);
    },
  };
}
