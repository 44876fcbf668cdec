/**
 * Formats addresses.
 * @see https://www.upu.int/en/postal-solutions/programmes-services/addressing-solutions Universal Postal Union,
 * postal addressing systems
 * @module
 */

/** Countries that write the house number before the street. All others write it after. */
const NUMBER_FIRST = new Set("AU BD CA FR GB GG HK IE IM IN JE LK LU MC MY NZ PH PK RE SG TH US VN ZA".split(" "));

/** Countries that write the postcode after the town. All others write it before. */
const POSTCODE_LAST = new Set(
  "AU BD BM BR CA CO EG GB GG GI HK ID IE IM IN IR JE JO KE LB LK LV MM MT NG NP NZ PE PK SA SG TH TW UA US VE ZA".split(
    " ",
  ),
);
/** Countries whose own script writes the largest part first. */
const LARGEST_FIRST = new Set("CN JP KR TW".split(" "));

/**
 * Returns street and house number, in the order of the country (ISO 3166-1 alpha-2), separated by a space. Without a
 * country the number is first. Leaves out a missing or empty part. Undefined if both are missing.
 */
export function addressLine(
  country: string | undefined,
  street: string | undefined,
  number: string | undefined,
): string | undefined {
  const parts = country === undefined || NUMBER_FIRST.has(country) ? [number, street] : [street, number];
  return parts.filter(Boolean).join(" ") || undefined;
}

interface PostalParts {
  /** Street and number. */
  readonly street?: string | undefined;
  readonly locality?: string | undefined;
  readonly region?: string | undefined;
  readonly postcode?: string | undefined;
}

/**
 * Returns the lines of a postal address, the first line first, without the country's name. The country (ISO 3166-1
 * alpha-2) decides the order of the parts. The largest part comes first only in Chinese and Korean script. Leaves out
 * missing parts. Empty if all are missing.
 */
export function postalLines(country: string | undefined, parts: PostalParts): readonly string[] {
  const { street, locality, region, postcode } = parts;
  if (
    country !== undefined &&
    LARGEST_FIRST.has(country) &&
    /[\p{sc=Han}\p{sc=Hangul}]/u.test(`${locality}${street}`)
  ) {
    return present([postcode, [region, locality, street].filter(Boolean).join(" ")]);
  }
  if (country === undefined || !POSTCODE_LAST.has(country)) {
    return present([street, present([postcode, locality]).join(" "), region === locality ? undefined : region]);
  }
  const area = present([region, postcode]).join(" ");
  return present([street, present([locality, area]).join(", ")]);
}

/** Words that stay in lower case within a name, except in English. */
const SMALL_WORDS = new Set(
  "a am an au aux d da das de del della den der des di do dos du e el en et im la las le les los sur van und y".split(
    " ",
  ),
);
const ENGLISH = new Set("AU CA GB GG IE IM JE NZ US ZA".split(" "));
/** Abbreviations that look like initials, but are none. */
const SHORT_WORDS = new Set("BLVD CT CTR DR FL FWY HTS HWY LN MT MTN PKWY PL PLZ RD SQ ST STR TR TRL XING".split(" "));

/**
 * Returns a text that is all in capitals, as registers have it, with a capital only at the start of each word. Initials
 * and words with digits keep their capitals, except ordinals: "1ST" becomes "1st". Outside of English `country` (ISO
 * 3166-1 alpha-2), words such as "de" become small. Returns a text with a small letter unchanged.
 */
export function readableCase(text: string, country?: string): string {
  if (/\p{Ll}/u.test(text)) return text;
  const isEnglish = country === undefined || ENGLISH.has(country);
  return text.replace(/[\p{L}\p{M}\p{N}]+/gu, (word, at: number) => {
    const lower = word.toLowerCase();
    if (/^\d+(ST|ND|RD|TH)$/.test(word)) return lower;
    if (at > 0 && !isEnglish && SMALL_WORDS.has(lower)) return lower;
    const isInitials = word.length < 3 || !/[AEIOUY]|[^\p{sc=Latin}]/u.test(word);
    if (/\d/.test(word) || (isInitials && !SHORT_WORDS.has(word))) return word;
    return word.charAt(0) + lower.slice(1);
  });
}

function present(parts: readonly (string | undefined)[]): string[] {
  return parts.filter((part) => part !== undefined && part !== "") as string[];
}
