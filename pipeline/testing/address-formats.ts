/**
 * A small dataset of addresses in the formats of ten countries, made with a fixed seed, and the ways in which people
 * write them.
 * @see https://www.upu.int/en/postal-solutions/programmes-services/addressing-solutions Universal Postal Union,
 * postal addressing systems
 * @module
 */
import { point } from "./folders.ts";
import { buildInTheWorld } from "./in-the-world.ts";

interface FormatTown {
  readonly name: string;
  readonly region: string;
  /** Short form of the region in addresses. */
  readonly code: string;
  readonly lon: number;
  readonly lat: number;
  /** Of the street with this index. */
  readonly postcodeOf: (street: number) => string;
}

export interface FormatAddress {
  readonly id: string;
  readonly country: string;
  readonly street: string;
  readonly number: string;
  readonly postcode: string;
  readonly town: FormatTown;
}

/** Writes an address in a style. `unit` is a small number that differs between addresses. */
type Style = (address: FormatAddress, unit: number) => string;

interface Format {
  readonly country: string;
  readonly towns: readonly FormatTown[];
  readonly streets: readonly string[];
  readonly numberOf: (house: number) => string;
  readonly styles: readonly [Style, Style, Style, Style, Style];
}

const digits = (value: number, length: number) => String(value).padStart(length, "0");
/** The pieces of each text, combined with each other. */
const crossed = (firsts: string, seconds: string, join: (first: string, second: string) => string) =>
  firsts.split("|").flatMap((first) => seconds.split("|").map((second) => join(first, second)));

const town = (
  [name, region, code]: readonly [string, string, string],
  [lon, lat]: readonly [number, number],
  postcodeOf: (street: number) => string,
): FormatTown => ({ name, region, code, lon, lat, postcodeOf });

const plain = (house: number) => String(house);
/** Every seventh house has a letter. */
const lettered = (house: number) => (house % 7 === 0 ? `${house}a` : String(house));
const lower = (text: string) => text.toLowerCase();
const bare = (text: string) => lower(text).normalize("NFD").replace(/\p{M}/gu, "");
const short = (street: string, forms: Readonly<Record<string, string>>) =>
  Object.entries(forms).reduce((text, [long, form]) => text.replace(new RegExp(long), form), street);

const US_SHORT = { Street$: "St", Avenue$: "Ave", Drive$: "Dr", Road$: "Rd", Boulevard$: "Blvd" };
const GB_SHORT = { Street$: "St", Road$: "Rd", Lane$: "Ln", Avenue$: "Ave" };
const FR_SHORT = { "^Rue": "r.", "^Avenue": "av.", "^Boulevard": "bd", "^Place": "pl." };
const ES_SHORT = { "^Calle": "C/", "^Avenida": "Avda.", "^Paseo": "Pº" };
const BR_SHORT = { "^Rua": "R.", "^Avenida": "Av.", "^Travessa": "Tv." };
const KANJI = ["", "一", "二", "三", "四", "五"];

export const FORMATS: readonly Format[] = [
  {
    country: "US",
    towns: [
      town(["Boulder", "Colorado", "CO"], [-105.27, 40.015], (street) => `8${digits(301 + street, 4)}`),
      town(["Springfield", "Illinois", "IL"], [-89.65, 39.8], (street) => `6${digits(2701 + street, 4)}`),
      town(["Salem", "Oregon", "OR"], [-123.03, 44.94], (street) => `9${digits(7301 + street, 4)}`),
      town(["New Haven", "Connecticut", "CT"], [-72.93, 41.31], (street) => digits(6510 + street, 5)),
    ],
    streets: crossed(
      "Spruce|Washington|Lake|Park|2nd|12th|Martin Luther King",
      "Street|Avenue|Drive|Road|Boulevard",
      (a, b) => `${a} ${b}`,
    ),
    numberOf: (house) => String(100 + 13 * house),
    styles: [
      ({ number, street, town, postcode }) =>
        `${number} ${short(street, US_SHORT)}, ${town.name}, ${town.code} ${postcode}`,
      ({ number, street, town, postcode }, unit) =>
        `${number} ${street}, Apt ${unit}, ${town.name}, ${town.region} ${postcode}, USA`,
      ({ number, street, town, postcode }) =>
        lower(`${number} ${short(street, US_SHORT)} ${town.name} ${town.code} ${postcode}`),
      ({ number, street, town }, unit) => `${number} ${street} #${unit}, ${town.name} ${town.code}, United States`,
      ({ number, street, town, postcode }) =>
        `${town.name}, ${town.code} ${postcode}-1234 - ${number} ${short(street, US_SHORT)}., 2nd floor`,
    ],
  },
  {
    country: "GB",
    towns: [
      town(
        ["Leeds", "West Yorkshire", "West Yorks"],
        [-1.55, 53.8],
        (street) => `LS${1 + (street % 9)} ${1 + (street % 8)}A${LETTER(street)}`,
      ),
      town(
        ["Bristol", "Bristol", "Bristol"],
        [-2.59, 51.45],
        (street) => `BS${1 + (street % 9)} ${1 + (street % 8)}B${LETTER(street)}`,
      ),
      town(
        ["York", "North Yorkshire", "North Yorks"],
        [-1.08, 53.96],
        (street) => `YO${10 + (street % 9)} ${1 + (street % 8)}D${LETTER(street)}`,
      ),
      town(
        ["Milton Keynes", "Buckinghamshire", "Bucks"],
        [-0.76, 52.04],
        (street) => `MK${1 + (street % 9)} ${1 + (street % 8)}E${LETTER(street)}`,
      ),
    ],
    streets: crossed(
      "Church|Station|Victoria|Mill|St John's|High|Queen's",
      "Street|Road|Lane|Avenue|Close",
      (a, b) => `${a} ${b}`,
    ),
    numberOf: lettered,
    styles: [
      ({ number, street, town, postcode }) => `${number} ${street}, ${town.name}, ${postcode}`,
      ({ number, street, town, postcode }, unit) => `Flat ${unit}, ${number} ${street}, ${town.name} ${postcode}, UK`,
      ({ number, street, town, postcode }) =>
        lower(`${number} ${short(street, GB_SHORT)} ${town.name} ${postcode.replace(" ", "")}`),
      ({ number, street, town, postcode }) =>
        `${number}, ${street}, ${town.name}, ${town.region}, ${postcode}, England`,
      ({ number, street, postcode }) => `${postcode}, ${number} ${street}`,
    ],
  },
  {
    country: "FR",
    towns: [
      town(["Lyon", "Auvergne-Rhône-Alpes", "69"], [4.835, 45.76], (street) => `6900${1 + (street % 9)}`),
      town(["Nantes", "Pays de la Loire", "44"], [-1.55, 47.22], (street) => `44${street % 2 ? 100 : 300}`),
      town(["Saint-Étienne", "Auvergne-Rhône-Alpes", "42"], [4.39, 45.44], (street) => `42${street % 2 ? "000" : 100}`),
      town(["Le Mans", "Pays de la Loire", "72"], [0.2, 48.0], (street) => `72${street % 2 ? "000" : 100}`),
    ],
    streets: crossed(
      "Rue|Avenue|Boulevard|Place|Chemin",
      "de la Paix|Victor Hugo|du Général de Gaulle|des Écoles|Jean Jaurès|de l'Église|du 8 Mai 1945",
      (a, b) => `${a} ${b}`,
    ),
    numberOf: (house) => (house % 7 === 0 ? `${house} bis` : String(house)),
    styles: [
      ({ number, street, town, postcode }) => `${number} ${street}, ${postcode} ${town.name}`,
      ({ number, street, town, postcode }) => `${number}, ${lower(street)}, F-${postcode} ${town.name}, France`,
      ({ number, street, town }) => bare(`${number} ${short(street, FR_SHORT)} ${town.name}`),
      ({ number, street, town, postcode }, unit) =>
        `Appt ${unit}, 2e étage, ${number} ${street}, ${postcode} ${town.name.toUpperCase()} CEDEX`,
      ({ number, street, town, postcode }) => `${town.name} ${postcode}, ${street} ${number}`,
    ],
  },
  {
    country: "DE",
    towns: [
      town(["Berlin", "Berlin", "BE"], [13.4, 52.52], (street) => `10${digits(115 + 2 * street, 3)}`),
      town(["München", "Bayern", "BY"], [11.58, 48.14], (street) => `80${digits(331 + street, 3)}`),
      town(
        ["Freiburg im Breisgau", "Baden-Württemberg", "BW"],
        [7.85, 47.99],
        (street) => `79${digits(98 + street, 3)}`,
      ),
      town(["Halle (Saale)", "Sachsen-Anhalt", "ST"], [11.97, 51.48], (street) => `06${digits(108 + street, 3)}`),
    ],
    streets: [
      ...crossed("Haupt|Schiller|Bahnhof|Garten|Linden", "straße|weg|platz|allee|gasse", (a, b) => `${a}${b}`),
      ...[
        "Karl-Marx-Straße",
        "Straße des 17. Juni",
        "Unter den Linden",
        "Am Markt",
        "An der Alten Post",
        "Berliner Straße",
      ],
      ...["Breite Straße", "Zur Mühle", "Sankt-Peter-Straße", "Rosa-Luxemburg-Platz"],
    ],
    numberOf: lettered,
    styles: [
      ({ number, street, town, postcode }) => `${street} ${number}, ${postcode} ${town.name}`,
      ({ number, street, town, postcode }) =>
        `${street.replace("straße", "str.").replace("Straße", "Str.")} ${number}, D-${postcode} ${town.name}, Deutschland`,
      ({ number, street, town }) => lower(`${street} ${number} ${town.name}`).replaceAll("ß", "ss"),
      ({ number, street, town, postcode }) => `${street} ${number}, 3. Stock, ${postcode} ${town.name}, Germany`,
      ({ number, street, town, postcode }, unit) =>
        `DE-${postcode} ${town.name}, ${street.replace("straße", "str.")} ${number}, Whg. ${unit}`,
    ],
  },
  {
    country: "IT",
    towns: [
      town(["Milano", "Lombardia", "MI"], [9.19, 45.46], (street) => `201${digits(21 + street, 2)}`),
      town(["Napoli", "Campania", "NA"], [14.25, 40.85], (street) => `801${digits(21 + street, 2)}`),
      town(["Reggio nell'Emilia", "Emilia-Romagna", "RE"], [10.63, 44.7], (street) => `421${digits(21 + street, 2)}`),
      town(["L'Aquila", "Abruzzo", "AQ"], [13.4, 42.35], (street) => `671${digits(street, 2)}`),
    ],
    streets: crossed(
      "Via|Viale|Piazza|Corso|Largo",
      "Giuseppe Garibaldi|Roma|Dante Alighieri|dei Mille|XX Settembre|Sant'Anna|della Repubblica",
      (a, b) => `${a} ${b}`,
    ),
    numberOf: (house) => (house % 7 === 0 ? `${house}/A` : String(house)),
    styles: [
      ({ number, street, town, postcode }) => `${street} ${number}, ${postcode} ${town.name} ${town.code}`,
      ({ number, street, town, postcode }) => `${street}, ${number} - ${postcode} ${town.name} (${town.code}), Italia`,
      ({ number, street, town }) =>
        lower(
          `${short(street, { "^Viale": "v.le", "^Via": "v.", "^Piazza": "p.zza", "^Corso": "c.so" })} ${number} ${town.name}`,
        ),
      ({ number, street, town, postcode }, unit) =>
        `${street} ${number}, int. ${unit}, scala B, I-${postcode} ${town.name}`,
      ({ number, street, town, postcode }) => `${postcode} ${town.name}, ${lower(street)} n. ${number}`,
    ],
  },
  {
    country: "ES",
    towns: [
      town(["Madrid", "Comunidad de Madrid", "Madrid"], [-3.7, 40.42], (street) => `280${digits(1 + street, 2)}`),
      town(["Sevilla", "Andalucía", "Sevilla"], [-5.98, 37.39], (street) => `410${digits(1 + street, 2)}`),
      town(["A Coruña", "Galicia", "A Coruña"], [-8.41, 43.36], (street) => `150${digits(1 + street, 2)}`),
      town(
        ["Las Palmas de Gran Canaria", "Canarias", "Las Palmas"],
        [-15.43, 28.12],
        (street) => `350${digits(1 + street, 2)}`,
      ),
    ],
    streets: crossed(
      "Calle|Avenida|Paseo|Plaza|Ronda",
      "Mayor|de la Constitución|de Cervantes|San José|del Sol|2 de Mayo|Ramón y Cajal",
      (a, b) => `${a} ${b}`,
    ),
    numberOf: plain,
    styles: [
      ({ number, street, town, postcode }) => `${street} ${number}, ${postcode} ${town.name}`,
      ({ number, street, town, postcode }) =>
        `${short(street, ES_SHORT)} ${number}, 3º B, ${postcode} ${town.name}, España`,
      ({ number, street, town }) => bare(`${street} ${number} ${town.name}`),
      ({ number, street, town, postcode }) => `${street}, nº ${number}, E-${postcode} ${town.name}, Spain`,
      ({ number, street, town, postcode }, unit) => `${postcode} ${town.name}, ${street} ${number}, piso ${unit}`,
    ],
  },
  {
    country: "JP",
    towns: [
      town(["千代田区", "東京都", "東京都"], [139.75, 35.69], (street) => `100-${digits(1 + street, 4)}`),
      town(["横浜市西区", "神奈川県", "神奈川県"], [139.62, 35.46], (street) => `220-${digits(1 + street, 4)}`),
      town(["大阪市北区", "大阪府", "大阪府"], [135.5, 34.7], (street) => `530-${digits(1 + street, 4)}`),
      town(["札幌市中央区", "北海道", "北海道"], [141.35, 43.06], (street) => `060-${digits(1 + street, 4)}`),
    ],
    streets: crossed(
      "丸の内|神田神保町|北浜|緑町|桜ケ丘町|中之島|南大通",
      "1|2|3|4|5",
      (name, block) => `${name}${KANJI[Number(block)]}丁目`,
    ),
    numberOf: (house) => `${1 + (house % 9)}-${house}`,
    styles: [
      ({ number, street, town, postcode }) => `〒${postcode} ${town.region}${town.name}${inDigits(street)}${number}`,
      ({ number, street, town }) => `${town.region}${town.name}${inDigits(street).replace("丁目", "-")}${number}`,
      ({ number, street, town }) => `${town.name}${street}${number.replace("-", "番")}号`,
      ({ number, street, town }) => `${inDigits(street)}${wide(number)} ${town.region} ${town.name}、日本`,
      ({ number, street, town }, unit) => `${town.region} ${town.name} ${street} ${number} 緑ビル ${unit}階`,
    ],
  },
  {
    country: "BR",
    towns: [
      town(["São Paulo", "São Paulo", "SP"], [-46.63, -23.55], (street) => `01310-${digits(100 + street, 3)}`),
      town(["Curitiba", "Paraná", "PR"], [-49.27, -25.43], (street) => `80010-${digits(100 + street, 3)}`),
      town(["Belo Horizonte", "Minas Gerais", "MG"], [-43.94, -19.92], (street) => `30110-${digits(100 + street, 3)}`),
      town(["Florianópolis", "Santa Catarina", "SC"], [-48.55, -27.6], (street) => `88010-${digits(100 + street, 3)}`),
    ],
    streets: crossed(
      "Rua|Avenida|Praça|Travessa|Alameda",
      "das Flores|XV de Novembro|Sete de Setembro|Tiradentes|São João|Dom Pedro II|do Comércio",
      (a, b) => `${a} ${b}`,
    ),
    numberOf: (house) => String(100 + 17 * house),
    styles: [
      ({ number, street, town, postcode }) => `${street}, ${number}, ${town.name} - ${town.code}, ${postcode}`,
      ({ number, street, town, postcode }, unit) =>
        `${short(street, BR_SHORT)}, ${number}, apto ${unit}, ${town.name}/${town.code}, CEP ${postcode}, Brasil`,
      ({ number, street, town }) => bare(`${street} ${number} ${town.name}`),
      ({ number, street, town }) => `${short(street, BR_SHORT)}, nº ${number} - ${town.name}, Brazil`,
      ({ number, street, postcode }) => `${postcode}, ${street} ${number}`,
    ],
  },
  {
    country: "IN",
    towns: [
      town(["Bengaluru", "Karnataka", "KA"], [77.59, 12.97], (street) => `5600${digits(1 + street, 2)}`),
      town(["Pune", "Maharashtra", "MH"], [73.86, 18.52], (street) => `4110${digits(1 + street, 2)}`),
      town(["New Delhi", "Delhi", "DL"], [77.21, 28.61], (street) => `1100${digits(1 + street, 2)}`),
      town(["Chennai", "Tamil Nadu", "TN"], [80.27, 13.08], (street) => `6000${digits(1 + street, 2)}`),
    ],
    streets: crossed(
      "MG|Nehru|Church|Temple|Gandhi Nagar|1st Main|Anna",
      "Road|Street|Marg|Lane|Cross Road",
      (a, b) => `${a} ${b}`,
    ),
    numberOf: lettered,
    styles: [
      ({ number, street, town, postcode }) => `${number}, ${street}, ${town.name} ${postcode}`,
      ({ number, street, town, postcode }, unit) =>
        `Flat No. ${unit}, ${number}, ${street}, ${town.name}, ${town.region} - ${postcode}, India`,
      ({ number, street, town }) => lower(`${number} ${short(street, GB_SHORT)} ${town.name}`),
      ({ number, street, town, postcode }) =>
        `No. ${number}, 2nd Floor, ${street}, ${town.name}, ${town.code} ${postcode.slice(0, 3)} ${postcode.slice(3)}`,
      ({ number, street, town }) => `${street} ${number}, ${town.name}`,
    ],
  },
  {
    country: "NL",
    towns: [
      town(["Amsterdam", "Noord-Holland", "NH"], [4.9, 52.37], (street) => `${1012 + street} A${LETTER(street)}`),
      town(["Rotterdam", "Zuid-Holland", "ZH"], [4.48, 51.92], (street) => `${3011 + street} B${LETTER(street)}`),
      town(
        ["'s-Hertogenbosch", "Noord-Brabant", "NB"],
        [5.3, 51.69],
        (street) => `${5211 + street} C${LETTER(street)}`,
      ),
      town(["Bergen op Zoom", "Noord-Brabant", "NB"], [4.29, 51.5], (street) => `${4611 + street} D${LETTER(street)}`),
    ],
    streets: [
      ...crossed("Dorps|Kerk|Molen|Wilhelmina|Beatrix", "straat|weg|laan|plein|gracht", (a, b) => `${a}${b}`),
      ...[
        "Burgemeester de Vlugtlaan",
        "Van der Helststraat",
        "Laan van Meerdervoort",
        "De Ruyterkade",
        "1e Jacob van Campenstraat",
      ],
      ...["Prins Hendrikkade", "Lange Nieuwstraat", "Oude Gracht", "Plein 1944", "Rozenhof"],
    ],
    numberOf: (house) => (house % 7 === 0 ? `${house}-A` : String(house)),
    styles: [
      ({ number, street, town, postcode }) => `${street} ${number}, ${postcode} ${town.name}`,
      ({ number, street, town, postcode }) =>
        `${street} ${number}, ${postcode.replace(" ", "")} ${town.name}, Nederland`,
      ({ number, street, town }) => lower(`${street} ${number} ${town.name}`),
      ({ number, street, town, postcode }) =>
        `${street} ${number}, 1e verdieping, NL-${postcode} ${town.name}, Netherlands`,
      ({ number, street, postcode }) => `${postcode}, ${street} ${number}`,
    ],
  },
];

/** A letter that postcodes use. */
function LETTER(street: number): string {
  return "ABDEFGHJLNPQRSTUWXYZ"[street % 20] ?? "A";
}

function inDigits(street: string): string {
  return KANJI.reduce(
    (text, kanji, block) => (block === 0 ? text : text.replace(`${kanji}丁目`, `${block}丁目`)),
    street,
  );
}

function wide(number: string): string {
  return number.replace(/\d/g, (digit) => String.fromCharCode(digit.charCodeAt(0) + 0xfee0)).replace("-", "－");
}

const HOUSES = 4;

/** Returns the addresses of a format: those of each street of each town. */
export function addressesOfFormat({ country, towns, streets, numberOf }: Format): FormatAddress[] {
  return towns.flatMap((town, t) =>
    streets.flatMap((street, s) =>
      Array.from({ length: HOUSES }, (_, h): FormatAddress => {
        const house = 1 + ((h * 37 + s * 11 + t * 5) % 97);
        const number = numberOf(house);
        return { id: `${country}-${t}-${s}-${h}`, country, street, number, postcode: town.postcodeOf(s), town };
      }),
    ),
  );
}

const STEP_DEG = 0.001;

function positionOf({ lon, lat }: FormatTown, street: number, house: number): readonly [number, number] {
  return [lon + STEP_DEG * (house + 8 * (street % 5)), lat + STEP_DEG * Math.floor(street / 5)];
}

function addressFeature(address: FormatAddress): unknown {
  const { id, country, street, number, postcode, town } = address;
  const [, , s = 0, h = 0] = id.split("-").map(Number);
  const [lon, lat] = positionOf(town, s, h);
  const address_levels = [{ value: town.region }, { value: town.name }];
  return point(id, lon, lat, { country, street, number, postcode, address_levels });
}

function segmentFeature({ country }: Format, town: FormatTown, street: string, s: number): unknown {
  const coordinates = [positionOf(town, s, 0), positionOf(town, s, HOUSES)];
  const properties = { names: { primary: street }, subtype: "road", class: "residential" };
  return {
    type: "Feature",
    id: `s-${country}-${town.name}-${s}`,
    geometry: { type: "LineString", coordinates },
    properties,
  };
}

function divisionFeature(country: string, { name, region, lon, lat }: FormatTown, t: number): unknown {
  const id = `d-${country}-${t}`;
  const hierarchies = [
    [
      { division_id: `r-${country}-${t}`, subtype: "region", name: region },
      { division_id: id, subtype: "locality", name },
    ],
  ];
  return point(id, lon, lat, {
    country,
    subtype: "locality",
    names: { primary: name },
    population: 90_000 + t,
    hierarchies,
  });
}

/** A town with the name of an everyday word. */
const TYRE = point("d-LB", 35.2, 33.27, {
  country: "LB",
  subtype: "locality",
  names: { primary: "Tyre" },
  population: 200_000,
});

/** Returns the dataset's folder. Builds it at first use. */
export function buildAddressFormats(): Promise<string> {
  const countries = FORMATS.map(({ country }) => `'${country}'`).join(", ");
  return buildInTheWorld({
    name: "address-formats",
    divisions: `country IN (${countries}) AND subtype IN ('country', 'region')`,
    features: () => ({
      address: FORMATS.flatMap(addressesOfFormat).map(addressFeature),
      // Japan names blocks, not streets
      segment: FORMATS.filter(({ country }) => country !== "JP").flatMap((format) =>
        format.towns.flatMap((town) => format.streets.map((street, s) => segmentFeature(format, town, street, s))),
      ),
      division: [
        ...FORMATS.flatMap(({ country, towns }) => towns.map((town, t) => divisionFeature(country, town, t))),
        TYRE,
      ],
      place: ["tire_shop", "tire_dealer_and_repair", "real_estate_agent"].map((primary, i) =>
        point(`p${i}`, -105.27 + STEP_DEG * i, 40.015, {
          names: { primary: `Joe's ${i}` },
          categories: { primary },
          confidence: 0.9,
        }),
      ),
    }),
  });
}
