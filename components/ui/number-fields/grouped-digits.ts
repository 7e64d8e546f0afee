/** Characters without width, which pasted text may have at its ends. */
const UNSEEN = /^[\u200b\u2060\ufeff]+|[\u200b\u2060\ufeff]+$/g;

/** What may stand between groups of three digits, besides a dot: the inside of a character class. */
export const SEPARATORS = ",_ '’\\u00a0\\u2007\\u2009\\u202f";

/** Removes what nobody sees at the ends of a typed or pasted number. */
export function trimNumber(text: string): string {
  return text.trim().replace(UNSEEN, "").trim();
}
