/**
 * Paging in headers: counts, and links to the pages around.
 * @module
 */

export interface Paging {
  /** Records on all pages. */
  readonly total: number;
  /** Records on this page. */
  readonly length: number;
  /** From 0. */
  readonly page: number;
  readonly limit: number;
}

/** Headers that browser scripts may read. */
export const EXPOSED_HEADERS = [
  "Pagination-Count",
  "Pagination-Page",
  "Pagination-Limit",
  "X-Total-Count",
  "Link",
  "ETag",
  "Content-Disposition",
  "Retry-After",
  "Cairn-Tile-Left-Out",
];

/** The paging headers of an answer. `linkTo` gives the link for a query, `?` included, on the path that was asked. */
export function pagingHeaders(
  { total, length, page, limit }: Paging,
  { query, linkTo }: { readonly query: URLSearchParams; readonly linkTo: (reference: string) => string },
): Record<string, string> {
  return {
    "Pagination-Count": String(total),
    "Pagination-Page": String(page),
    "Pagination-Limit": String(limit),
    "X-Total-Count": String(length),
    Link: links(page, Math.max(0, Math.ceil(total / limit) - 1)),
  };

  /** @see https://www.rfc-editor.org/rfc/rfc8288 */
  function links(page: number, last: number): string {
    const at = (number: number, rel: string) => {
      const target = new URLSearchParams(query);
      target.delete("api_key");
      target.set("page", String(number));
      return `<${linkTo(`?${target}`)}>; rel="${rel}"`;
    };
    return [
      at(0, "first"),
      ...(page > 0 ? [at(Math.min(page - 1, last), "prev")] : []),
      ...(page < last ? [at(page + 1, "next")] : []),
      at(last, "last"),
    ].join(", ");
  }
}
