/**
 * Formats addresses.
 * @see https://www.upu.int/en/postal-solutions/programmes-services/addressing-solutions Universal Postal Union,
 * postal addressing systems
 * @module
 */

/** Countries that write the house number before the street. All others write it after. */
const NUMBER_FIRST = new Set("AU BD CA FR GB GG HK IE IM IN JE LK LU MC MY NZ PH PK RE SG TH US VN ZA".split(" "));

/** Returns street and number in the order of the country (ISO 3166-1 alpha-2). Missing parts are left out. */
export function addressLine(
  country: string | undefined,
  street: string | undefined,
  number: string | undefined,
): string | undefined {
  const parts = country === undefined || NUMBER_FIRST.has(country) ? [number, street] : [street, number];
  return parts.filter(Boolean).join(" ") || undefined;
}
