/** Letters with their marks, and digits. All else is between words. */
const BETWEEN_WORDS = /[^\p{L}\p{M}\p{N}]+/u;

/** Returns true if the text contains every typed word, in any order and case. An empty search matches all. */
export function containsWords(text: string, search: string): boolean {
  const searched = text.toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => searched.includes(word));
}

/** Returns true if every typed word begins a word of the text, in any order and case. An empty search matches all. */
export function beginsWords(text: string, search: string): boolean {
  const words = text.toLowerCase().split(BETWEEN_WORDS);
  return search
    .toLowerCase()
    .split(BETWEEN_WORDS)
    .every((start) => words.some((word) => word.startsWith(start)));
}
