import { foldName } from "@/lib/contract/plain-text";

/** What an object is found by: its name first, then its id and whatever else names it. */
type Words = readonly [name: string, ...others: string[]];

/**
 * Returns the items that `text` names, at most `max`: exact matches first, then those that begin with it, then those
 * with a word that begins with it, then all others that contain it, each in the order of `items`. Ignores case and
 * forms of characters.
 */
export function rankMatches<Item>(
  items: Iterable<Item>,
  text: string,
  toWords: (item: Item) => Words,
  max: number,
): Item[] {
  const searched = foldName(text);
  const ranked: Item[][] = [[], [], [], []];
  for (const item of items) {
    const rank = Math.min(...toWords(item).map((word) => rankWord(foldName(word), searched)));
    const found = ranked[rank];
    if (found && found.length < max) found.push(item);
  }
  return ranked.flat().slice(0, max);
}

/** 0 is the closest; 4 is no match. */
function rankWord(word: string, searched: string): number {
  const at = word.indexOf(searched);
  if (at === -1) return 4;
  if (word === searched) return 0;
  if (at === 0) return 1;
  return /[\p{L}\p{N}]/u.test(word.charAt(at - 1)) ? 3 : 2;
}
