/**
 * Words of street names with several spellings, and words with little meaning.
 * @module
 */

/**
 * Kinds of streets with their short forms. English: USPS Publication 28, appendix C1, those in common use; French:
 * the Post's SNA short forms; German, Spanish, Italian: as on street signs and in postal addresses.
 */
const KINDS: Readonly<Record<string, string>> = {
  alley: "aly",
  avenue: "ave av avda avd",
  boulevard: "blvd bd bld boul bvd",
  circle: "cir",
  court: "ct",
  crescent: "cres",
  drive: "dr",
  expressway: "expy",
  freeway: "fwy",
  highway: "hwy",
  lane: "ln",
  parkway: "pkwy pky",
  place: "pl",
  plaza: "plz",
  point: "pt",
  road: "rd",
  route: "rte rt",
  square: "sq",
  street: "st",
  terrace: "ter terr",
  trail: "trl",
  way: "wy",
  allee: "all",
  chemin: "ch che",
  cours: "crs",
  esplanade: "esp",
  faubourg: "fg fbg",
  impasse: "imp",
  passage: "pas pass",
  promenade: "prom",
  quai: "qu",
  rue: "r",
  ruelle: "rle",
  villa: "vla",
  strasse: "str",
  platz: "pl",
  weg: "",
  gasse: "g",
  alameda: "al",
  avenida: "av avda avd",
  calle: "c cl",
  camino: "cno",
  carretera: "ctra",
  paseo: "po",
  corso: "cso c",
  largo: "lgo lg",
  praca: "pca pc",
  rua: "r",
  travessa: "tv trav",
  marg: "",
  straat: "str",
  laan: "ln",
  piazza: "pza pzza p",
  piazzale: "ple",
  via: "v",
  viale: "vle",
};

/** USPS Publication 28, appendix C (directionals), and the same in French and German. */
const DIRECTIONS: Readonly<Record<string, string>> = {
  north: "n",
  south: "s",
  east: "e",
  west: "w",
  northeast: "ne",
  northwest: "nw",
  southeast: "se",
  southwest: "sw",
};

const PARTS: Readonly<Record<string, string>> = {
  saint: "st",
  sainte: "ste",
  sankt: "st",
  mount: "mt",
  fort: "ft",
  general: "gal gen",
  president: "pdt pres",
  professeur: "pr prof",
  docteur: "dr",
  doktor: "dr",
};

const SMALL = new Set(
  "a al au aux d da das de degli dei del della der des di die do dos du e el en et l la las le les los of the und y".split(
    " ",
  ),
);

/** Words before a unit, USPS Publication 28, appendix C2, those in common use. */
const UNITS = new Set(
  "apt apartment unit suite ste fl floor rm room bldg appt app wohnung whg top no nr flat int interno apto ap sala puerta pta".split(
    " ",
  ),
);

function shortForms(tables: readonly Readonly<Record<string, string>>[]): ReadonlyMap<string, readonly string[]> {
  const forms = new Map<string, string[]>();
  for (const [whole, short] of tables.flatMap((table) => Object.entries(table))) {
    for (const form of [whole, ...short.split(" ")].filter(Boolean))
      forms.set(form, [...(forms.get(form) ?? []), whole]);
  }
  return forms;
}

const WHOLE = shortForms([KINDS, DIRECTIONS, PARTS]);
const OF_KIND = shortForms([KINDS]);
const OF_DIRECTION = shortForms([DIRECTIONS]);

/** Returns the word itself, and its long forms if it is a short form, such as `street` for `st`. The word must be folded. */
export function wholeWords(word: string): readonly string[] {
  const compound = /.str$/.test(word) ? [`${word}asse`] : [];
  return [...new Set([word, ...(WHOLE.get(word) ?? []), ...compound])];
}

/**
 * Returns other spellings of a folded word: its long forms, and short forms of words such as `saint`. Kinds of street have no
 * short forms here.
 */
export function otherForms(word: string): readonly string[] {
  const wholes = wholeWords(word);
  const shorts = wholes.flatMap((whole) => (Object.hasOwn(PARTS, whole) ? (PARTS[whole] ?? "").split(" ") : []));
  return [...new Set([...wholes, ...shorts])].filter((form) => form !== word);
}

/** Returns whether the word is a kind of street or a direction. */
export function isKind(word: string): boolean {
  return OF_KIND.has(word) || OF_DIRECTION.has(word);
}

/** Returns whether the word is an article or a similar small word, which people leave out. */
export function isSmall(word: string): boolean {
  return SMALL.has(word);
}

/** Returns whether the word stands before the number of a unit, such as `apt`. */
export function isUnitWord(word: string): boolean {
  return UNITS.has(word);
}

/** Returns whether the word distinguishes streets: it is no article, kind of street or direction. */
export function isTelling(word: string): boolean {
  return !isSmall(word) && !isKind(word);
}
