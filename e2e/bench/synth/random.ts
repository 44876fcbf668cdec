/**
 * Random values that only depend on a seed and a row's number, so that any part of the data can be generated alone.
 * @module
 */

/** Maximum draws of one row. */
const DRAWS = 64;

/** 2^-48 */
const UNIT = "3.552713678800501e-15";

/** SQL of random draws for the row whose number is the SQL expression. */
export interface Draws {
  /** 64 random bits, UBIGINT. */
  readonly bits: (draw: number) => string;
  /** A DOUBLE, at least 0 and below 1. */
  readonly unit: (draw: number) => string;
  /** A BIGINT, at least 0 and below the SQL expression. */
  readonly below: (draw: number, end: string | number) => string;
}

/** Draws of one kind of rows. `salt` separates kinds with equal numbers. */
export function drawsOf(number: string, seed: number, salt: number): Draws {
  // hash() of several arguments only mixes them with XOR, so draws would be correlated. So it gets one argument.
  const offset = (BigInt(seed) * 1_000_003n + BigInt(salt)) * 2_000_000_011n;
  const bits = (draw: number): string => {
    if (draw >= DRAWS) throw new Error(`draw ${draw}: a row has ${DRAWS}`);
    return `hash((${number}) * ${DRAWS} + ${draw} + ${offset})`;
  };
  const unit = (draw: number): string => `((${bits(draw)} >> 16)::DOUBLE * ${UNIT})`;
  return { bits, unit, below: (draw, end) => `floor(${unit(draw)} * (${end}))::BIGINT` };
}
