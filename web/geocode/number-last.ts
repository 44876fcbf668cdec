/**
 * Countries that write the house number behind the street.
 * @see https://www.upu.int/en/postal-solutions/programmes-services/addressing-solutions Universal Postal Union, postal addressing systems
 * @module
 */

const EUROPE =
  "AD AL AT BA BE BG BY CH CY CZ DE DK EE ES FI FO GL GR HR HU IS IT LI LT LV MD ME MK NL NO PL PT RO RS RU SE SI SK SM TR UA VA XK";
const AMERICAS = "AR BO BR CL CO CR CU CW EC GT HN MX NI PA PE PY SR SV UY VE AW";
const NUMBER_LAST = new Set(`${EUROPE} ${AMERICAS}`.split(" "));

export function isNumberLast(country: string | undefined): boolean {
  return country !== undefined && NUMBER_LAST.has(country);
}
