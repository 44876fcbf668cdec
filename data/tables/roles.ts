/**
 * Finds what the columns of a table mean (their roles), by their names and values. Builds and the page use it.
 * @module
 */
import type { Role } from "../format/own-schema.ts";

/** Column names by role, folded, in ten languages. Words are separated by an underscore or a space. */
const NAMES: Readonly<Record<Role, readonly string[]>> = {
  name: [
    ...[
      "name",
      "title",
      "label",
      "shop",
      "store",
      "shop name",
      "store name",
      "place",
      "place name",
      "company",
      "site",
      "site name",
      "station",
    ],
    ...[
      "station name",
      "stop name",
      "facility",
      "facility name",
      "organisation",
      "organization",
      "business name",
      "bezeichnung",
      "titel",
    ],
    ...[
      "firma",
      "nom",
      "titre",
      "enseigne",
      "raison sociale",
      "nombre",
      "titulo",
      "denominacion",
      "nome",
      "denominazione",
      "denominacao",
    ],
    ...[
      "filiale",
      "geschäft",
      "laden",
      "einrichtung",
      "magasin",
      "boutique",
      "établissement",
      "tienda",
      "sucursal",
      "establecimiento",
      "negozio",
      "punto vendita",
      "loja",
      "estabelecimento",
    ],
    ...[
      "名称",
      "名前",
      "施設名",
      "店名",
      "名字",
      "店铺名称",
      "नाम",
      "اسم",
      "الاسم",
      "scientific name",
      "vernacular name",
    ],
  ],
  names: ["names", "names by language"],
  category: [
    ...[
      "category",
      "categories",
      "type",
      "kind",
      "class",
      "group",
      "sector",
      "amenity",
      "kategorie",
      "art",
      "typ",
      "branche",
      "categorie",
    ],
    ...["genre", "categoria", "tipo", "tipologia", "種別", "分類", "カテゴリ", "类别", "分类", "श्रेणी", "فئة", "نوع"],
  ],
  address: [
    ...[
      "address",
      "full address",
      "street address",
      "address line",
      "address line 1",
      "address1",
      "adresse",
      "anschrift",
      "direccion",
    ],
    ...["indirizzo", "endereco", "morada", "住所", "所在地", "地址", "पता", "عنوان", "العنوان"],
  ],
  street: [
    "street",
    "street name",
    "road",
    "strasse",
    "straße",
    "rue",
    "voie",
    "calle",
    "via",
    "rua",
    "addr street",
    "通り",
    "街道",
    "सड़क",
    "الشارع",
  ],
  housenumber: [
    "housenumber",
    "house number",
    "hausnummer",
    "hnr",
    "numero",
    "number",
    "addr housenumber",
    "civico",
    "numero voie",
  ],
  postcode: [
    "postcode",
    "postal code",
    "zip",
    "zip code",
    "zipcode",
    "eircode",
    "plz",
    "postleitzahl",
    "code postal",
    "cp",
    "codigo postal",
    "cap",
    "cep",
    "郵便番号",
    "邮编",
    "邮政编码",
    "codice postale",
    "पिन कोड",
    "الرمز البريدي",
    "addr postcode",
  ],
  city: [
    "city",
    "town",
    "locality",
    "municipality",
    "place of business",
    "ort",
    "stadt",
    "gemeinde",
    "ville",
    "commune",
    "ciudad",
    "municipio",
    "localidad",
    "citta",
    "comune",
    "cidade",
    "市区町村",
    "城市",
    "शहर",
    "مدينة",
    "المدينة",
    "addr city",
  ],
  region: [
    "region",
    "state",
    "province",
    "county",
    "bundesland",
    "land",
    "departement",
    "provincia",
    "regione",
    "estado",
    "都道府県",
    "省",
    "राज्य",
    "地域",
    "地区",
    "região",
    "الإقليم",
    "क्षेत्र",
    "المنطقة",
  ],
  phone: [
    "phone",
    "phones",
    "telephone",
    "tel",
    "phone number",
    "mobile",
    "telefon",
    "telefonnummer",
    "telefono",
    "telefone",
    "電話",
    "電話番号",
    "电话",
    "फ़ोन",
    "هاتف",
    "contact phone",
  ],
  website: [
    "website",
    "web",
    "url",
    "homepage",
    "link",
    "webseite",
    "internet",
    "site web",
    "site internet",
    "sitio web",
    "pagina web",
    "sito",
    "sito web",
    "site",
    "ウェブサイト",
    "网站",
    "वेबसाइट",
    "موقع",
    "موقع ويب",
    "contact website",
  ],
  email: [
    "email",
    "e mail",
    "mail",
    "emails",
    "courriel",
    "correo",
    "correo electronico",
    "メール",
    "邮箱",
    "电子邮件",
    "ईमेल",
    "بريد",
    "بريد إلكتروني",
    "contact email",
  ],
  image: [
    "image",
    "photo",
    "picture",
    "image url",
    "photo url",
    "bild",
    "foto",
    "imagen",
    "immagine",
    "imagem",
    "画像",
    "图片",
    "चित्र",
    "صورة",
  ],
  hours: [
    "opening hours",
    "hours",
    "open hours",
    "openinghours",
    "oeffnungszeiten",
    "offnungszeiten",
    "öffnungszeiten",
    "horaires",
    "heures d ouverture",
    "horario",
    "horarios",
    "orari",
    "orario",
    "orario di apertura",
    "horario de funcionamento",
    "営業時間",
    "营业时间",
    "ساعات العمل",
  ],
  description: [
    "description",
    "desc",
    "notes",
    "note",
    "remarks",
    "comment",
    "comments",
    "beschreibung",
    "bemerkung",
    "descripcion",
    "descrizione",
    "descricao",
    "説明",
    "备注",
    "描述",
    "विवरण",
    "وصف",
  ],
  price: [
    "price",
    "cost",
    "fee",
    "preis",
    "prix",
    "precio",
    "prezzo",
    "preco",
    "価格",
    "価格帯",
    "价格",
    "कीमत",
    "سعر",
  ],
  date: ["date", "event date", "start date", "datum", "fecha", "data", "日付", "日期", "तारीख", "تاريخ"],
};

/** Column names that may contain ids, the clearest first. */
const IDS = [
  "id",
  "uuid",
  "guid",
  "gid",
  "fid",
  "objectid",
  "key",
  "code",
  "ref",
  "identifier",
  "kennung",
  "nummer",
  "stop id",
  "shop id",
  "store id",
  "station id",
  "site id",
  "place id",
  "gbifid",
  "osm id",
  "@id",
  "番号",
  "编号",
];

/** Folds a name as in the lists. */
function plain(name: string): string {
  return name
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, "$1 $2")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}@]+/gu, " ")
    .trim();
}

const plainNames = new Map(
  Object.entries(NAMES).map(([role, names]) => [role as Role, names.map((name) => plain(name))]),
);
const plainIds = IDS.map((name) => plain(name));

/**
 * Returns the roles of columns, by column. A role has at most one column: the one whose name comes first in the list of
 * the role. Columns without a role are left out.
 */
export function rolesByName(columns: readonly string[]): ReadonlyMap<string, Role> {
  const roles = new Map<string, Role>();
  for (const [role, names] of plainNames) {
    const ranked = columns
      .map((column) => ({ column, rank: names.indexOf(plain(column)) }))
      .filter(({ column, rank }) => rank >= 0 && !roles.has(column))
      .sort((a, b) => a.rank - b.rank);
    const [best] = ranked;
    if (best) roles.set(best.column, role);
  }
  return roles;
}

/** Number of rows whose values decide which column has the names. */
export const SAMPLED_ROWS = 1000;
const LONGEST_NAME = 60;
const MOSTLY = 0.8;
const MOSTLY_LETTERS = 0.6;

/**
 * Returns whether a column may have names: at least 80 % of `rows` have different texts of at most 60 characters,
 * mostly letters, without `@` and `/`.
 */
export function isLikeNames(texts: readonly string[], rows: number): boolean {
  const names = texts.filter((text) => text.length <= LONGEST_NAME && isMostlyLetters(text));
  return new Set(names).size >= Math.max(1, MOSTLY * rows);
}

function isMostlyLetters(text: string): boolean {
  const letters = text.match(/[\p{L}\p{M}\s]/gu)?.length ?? 0;
  return !/[@/]/.test(text) && letters >= MOSTLY_LETTERS * text.length;
}

/** Returns how clearly a column's name means an id: 0 for the clearest name, higher for others; -1 if it does not. */
export function idRank(column: string): number {
  return plainIds.indexOf(plain(column));
}
