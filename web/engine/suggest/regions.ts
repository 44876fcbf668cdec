/**
 * Regions that people write after a town, by the code in addresses: ISO 3166-2 of Brazil, India, Canada and Australia,
 * and the provinces of Italy. States of the United States are in `states.ts`.
 * @module
 */
import { foldText } from "../../../data/format/fold.ts";
import { stateCalled } from "./states.ts";

const NAMES: Readonly<Record<string, string>> = {
  BR: "ac Acre|al Alagoas|ap Amapa|am Amazonas|ba Bahia|ce Ceara|df Distrito Federal|es Espirito Santo|go Goias|ma Maranhao|mt Mato Grosso|ms Mato Grosso do Sul|mg Minas Gerais|pa Para|pb Paraiba|pr Parana|pe Pernambuco|pi Piaui|rj Rio de Janeiro|rn Rio Grande do Norte|rs Rio Grande do Sul|ro Rondonia|rr Roraima|sc Santa Catarina|sp Sao Paulo|se Sergipe|to Tocantins",
  IN: "an Andaman and Nicobar Islands|ap Andhra Pradesh|ar Arunachal Pradesh|as Assam|br Bihar|ch Chandigarh|cg Chhattisgarh|ct Chhattisgarh|dl Delhi|ga Goa|gj Gujarat|hr Haryana|hp Himachal Pradesh|jk Jammu and Kashmir|jh Jharkhand|ka Karnataka|kl Kerala|la Ladakh|ld Lakshadweep|mp Madhya Pradesh|mh Maharashtra|mn Manipur|ml Meghalaya|mz Mizoram|nl Nagaland|od Odisha|or Odisha|py Puducherry|pb Punjab|rj Rajasthan|sk Sikkim|tn Tamil Nadu|ts Telangana|tg Telangana|tr Tripura|up Uttar Pradesh|uk Uttarakhand|wb West Bengal",
  CA: "ab Alberta|bc British Columbia|mb Manitoba|nb New Brunswick|nl Newfoundland and Labrador|ns Nova Scotia|nt Northwest Territories|nu Nunavut|on Ontario|pe Prince Edward Island|qc Quebec|sk Saskatchewan|yt Yukon",
  AU: "act Australian Capital Territory|nsw New South Wales|nt Northern Territory|qld Queensland|sa South Australia|tas Tasmania|vic Victoria|wa Western Australia",
};

/** Provinces of Italy, which data of addresses does not name. */
const ITALIAN = new Set(
  "ag al an ao ap aq ar at av ba bg bi bl bn bo br bs bt bz ca cb ce ch cl cn co cr cs ct cz en fc fe fg fi fm fr ge go gr im is kr lc le li lo lt lu mb mc me mi mn mo ms mt na no nu or pa pc pd pe pg pi pn po pr pt pu pv pz ra rc re rg ri rm rn ro sa si so sp sr ss su sv ta te tn to tp tr ts tv ud va vb vc ve vi vr vt vv".split(
    " ",
  ),
);

interface Region {
  readonly country: string;
  /** Folded; undefined if no data names it. */
  readonly name: string | undefined;
  readonly code: string;
}

const ALL: readonly Region[] = Object.entries(NAMES).flatMap(([country, regions]) =>
  regions.split("|").map((region) => {
    const space = region.indexOf(" ");
    return { country, code: region.slice(0, space), name: foldText(region.slice(space + 1)) };
  }),
);

/** Returns the regions with the folded code or name. */
function regionsCalled(text: string): readonly Region[] {
  const state = stateCalled(text.split(" "));
  return [
    ...(state ? [{ country: "US", code: state.letters, name: foldText(state.name) }] : []),
    ...ALL.filter(({ code, name }) => code === text || name === text),
    ...(ITALIAN.has(text) ? [{ country: "IT", code: text, name: undefined }] : []),
  ];
}

/** Whether the text is the code or the name of a region in any country. */
export function isRegion(text: string): boolean {
  return regionsCalled(text).length > 0;
}

/** Whether the folded text is a region of the country that the places of a row name, or leave open. */
export function agreesWithRegion(text: string, country: string, places: readonly string[]): boolean {
  const folded = places.map(foldText);
  if (folded.includes(text)) return true;
  return regionsCalled(text).some((region) => {
    if (region.country !== country) return false;
    if (region.name === undefined || folded.some((place) => place === region.name || place === region.code))
      return true;
    // a row that names another region is elsewhere
    return !folded.some((place) => regionsCalled(place).some((other) => other.country === country));
  });
}
