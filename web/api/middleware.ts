/**
 * Links in answers: absolute where the service knows its address, else relative to the request.
 * @module
 */
import type { MiddlewareHandler } from "hono";

/** The address that the caller of a request asked; undefined where nobody but the caller says what it is. */
export type AddressAsked = (request: Request) => string | undefined;

declare module "hono" {
  interface ContextVariableMap {
    /** A relative reference, as answers to this request name it. */
    linkTo: (reference: string) => string;
  }
}

/** Gives handlers `linkTo`. */
export function makeLinks(addressAsked: AddressAsked): MiddlewareHandler {
  return (c, next) => {
    const base = addressAsked(c.req.raw);
    c.set("linkTo", (reference) => (base === undefined ? reference : new URL(reference, base).href));
    return next();
  };
}
