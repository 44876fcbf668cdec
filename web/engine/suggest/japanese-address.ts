/**
 * Japanese addresses, which have no spaces: splits them into block, number, municipality and prefecture.
 * @see https://www.upu.int/UPU/media/upu/PostalEntitiesFiles/addressingUnit/jpnEn.pdf
 * @module
 */
const HAN = "[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}々ーヶケ]";
const PREFECTURE = /東京都|北海道|(?:京都|大阪)府|\p{Script=Han}{2,3}県/u;
const KANJI = "一二三四五六七八九十";
/** A city with its ward, a ward, a town or a village; not a block such as `緑町一丁目`. */
const MUNICIPALITY = new RegExp(
  `^(?:${HAN}{1,4}郡${HAN}{1,4}[町村]|${HAN}{1,5}市(?:${HAN}{1,3}区)?|${HAN}{1,4}[区村町])(?=\\s|$|(?![${KANJI}]+丁目)${HAN})`,
  "u",
);
/** Name, block and number: `丸の内1丁目9-1`, `丸の内一丁目9番1号`, `丸の内1-9-1`. */
const BLOCK = new RegExp(
  `(${HAN}+?(?:\\d{1,2}条${HAN}*?)?)(?:([${KANJI}]{1,3}|\\d{1,2})丁目\\s*|(\\d{1,2})-(?=\\d+-\\d))(\\d+)(?:(?:番地?の?|-)(\\d+))?号?`,
  "u",
);
const POSTCODE = /〒?\s*(\d{3})-(\d{4})(?![-\d])/u;
const MOST_CHARS = 200;

/**
 * Returns block, number, municipality and postcode with spaces between them, and the prefecture; undefined for a text
 * without a block.
 */
export function splitJapaneseAddress(text: string): { readonly text: string; readonly prefecture: string } | undefined {
  if (text.length > MOST_CHARS || !/\p{Script=Han}/u.test(text)) return undefined;
  let left = text
    .normalize("NFKC")
    .replace(/[－−‐–―ー](?=\d)/gu, "-")
    .replace(/[、,]/gu, " ");
  const [postcode = ""] = POSTCODE.exec(left) ?? [];
  left = left.replace(postcode, " ").trim();
  const [prefecture = ""] = PREFECTURE.exec(left) ?? [];
  left = left
    .replace(prefecture, " ")
    .replace(/(?<=\S)\s+(?=\d)/gu, "")
    .trim();
  const places: string[] = [];
  const runs = left.split(/\s+/u).map((run) => {
    const [municipality = ""] = MUNICIPALITY.exec(run) ?? [];
    if (municipality !== "") places.push(municipality);
    return run.slice(municipality.length);
  });
  const found = BLOCK.exec(runs.filter(Boolean).join(" "));
  if (!found) return undefined;
  const [, name = "", block, first, house = "", room] = found;
  const number = room === undefined ? house : `${house}-${room}`;
  const street = `${name.replace(/\d+(?=条)/u, inKanji)}${inKanji(block ?? first ?? "")}丁目`;
  const parts = [street, number, ...places, postcode.replace("〒", "")];
  return { text: parts.filter(Boolean).join(" "), prefecture };
}

/** `12` as `十二`. */
function inKanji(block: string): string {
  const value = Number(block);
  if (!Number.isInteger(value) || value < 1 || value > 99) return block;
  const [tens, ones] = [Math.floor(value / 10), value % 10];
  const ten = tens > 0 ? `${tens > 1 ? KANJI[tens - 1] : ""}十` : "";
  return ten + (ones > 0 ? KANJI[ones - 1] : "");
}
