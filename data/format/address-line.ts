/**
 * How an address is written.
 * @see https://www.upu.int/en/postal-solutions/programmes-services/addressing-solutions Universal Postal Union, postal addressing systems
 * @module
 */

/** Countries that write the house number before the street; all others write it behind. */
const NUMBER_FIRST = new Set("AU BD CA FR GB GG HK IE IM IN JE LK LU MC MY NZ PH PK RE SG TH US VN ZA".split(" "));

/** Street and number as they are written in the country, ISO 3166-1 alpha-2; what is not known is left out. */
export function addressLine(
  country: string | undefined,
  street: string | undefined,
  number: string | undefined,
): string | undefined {
  const parts = country === undefined || NUMBER_FIRST.has(country) ? [number, street] : [street, number];
  return parts.filter(Boolean).join(" ") || undefined;
}
