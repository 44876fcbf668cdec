/**
 * Tables of words for names by language: generated words with a long tail, and kinds of places.
 * @module
 */
import { type Database, quoteLiteral } from "../../../pipeline/base/database/database.ts";
import { LANGUAGES } from "./languages.ts";
import { drawsOf } from "./random.ts";

/** Words of a language. Two of them give sixteen million names. */
export const WORDS_OF_LANGUAGE = 4096;

/** Slots for kinds of a language in the table. Languages have fewer kinds. */
export const KINDS_OF_LANGUAGE = 32;

/** Makes `word(word_id, word)`, `kind(kind_id, kind)`, `language(language, code, kinds, space, is_kind_first)`. */
export async function createWords(database: Database, seed: number): Promise<void> {
  const rows = LANGUAGES.map(({ code, syllables, kinds, space, isKindFirst }, index) => {
    const lists = [syllables.split(" "), kinds.split("|")].map((list) => `[${list.map(quoteLiteral).join(", ")}]`);
    return `(${index}, ${quoteLiteral(code)}, ${lists.join(", ")}, ${quoteLiteral(space)}, ${isKindFirst})`;
  });
  await database.run(`
    CREATE TEMP TABLE spelled AS
    SELECT * FROM (VALUES ${rows.join(", ")}) spelled(language, code, syllables, kinds, space, is_kind_first)`);
  await database.run(`
    CREATE TABLE language AS
    SELECT language, code, len(kinds) AS kinds, space, is_kind_first FROM spelled ORDER BY language`);
  await database.run(`
    CREATE TABLE kind AS
    SELECT language * ${KINDS_OF_LANGUAGE} + place - 1 AS kind_id, kind
    FROM (SELECT language, unnest(kinds) AS kind, generate_subscripts(kinds, 1) AS place FROM spelled) ORDER BY kind_id`);
  await database.run(`CREATE TABLE word AS ${wordsSql(seed)}`);
}

function wordsSql(seed: number): string {
  const draws = drawsOf("word_id", seed, 3);
  const syllable = (draw: number): string => `syllables[1 + ${draws.below(draw, "len(syllables)")}]`;
  return `
    SELECT word_id, upper(left(text, 1)) || substr(text, 2) AS word
    FROM (
      SELECT language * ${WORDS_OF_LANGUAGE} + rank AS word_id,
        ${syllable(0)} || ${syllable(1)} || CASE WHEN rank % 3 = 0 THEN '' ELSE ${syllable(2)} END AS text
      FROM spelled, range(${WORDS_OF_LANGUAGE}) ranks(rank)
    ) ORDER BY word_id`;
}
