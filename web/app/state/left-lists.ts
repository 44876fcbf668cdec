/** Lists that the user left. The back and forward buttons of the browser show them again at once. @module */

interface List {
  readonly records: readonly unknown[];
  /** Set if the list has only records that were open. */
  readonly open?: unknown;
}

/** Bounds the memory. The list that was left first is dropped first. */
const MOST_LISTS = 8;
const MOST_RECORDS = 5000;

/** Returns a memory of lists by their questions. */
export function createLeftLists<Kept extends List>() {
  const lists = new Map<string, Kept>();
  return {
    /** Remembers the list as the answer of the question. Records that are open now are not those that are open later. */
    put(question: string, list: Kept): void {
      lists.delete(question);
      if (list.open) return;
      lists.set(question, list);
      let records = [...lists.values()].reduce((sum, one) => sum + one.records.length, 0);
      for (const [oldest, { records: dropped }] of lists) {
        if (lists.size <= MOST_LISTS && records <= MOST_RECORDS) return;
        lists.delete(oldest);
        records -= dropped.length;
      }
    },
    /** Returns the list with all records that were read; undefined if it is not in memory. */
    get: (question: string): Kept | undefined => lists.get(question),
    /** Drops all lists: another release may have other answers. */
    clear: (): void => lists.clear(),
  };
}
