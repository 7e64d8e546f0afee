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

/** The words of a question that say nothing about what is asked for. */
const FILLING = new Set(
  "a an and any anybody anyone are be can could do does everybody how i in is may of or role to the what which who whose with".split(
    " ",
  ),
);

/** What a question asks for: "rotate keys" of "who can rotate keys?". Of filling words alone, all of them. */
export function listAskedWords(search: string): string {
  const words = search
    .toLowerCase()
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter((word) => word !== "");
  const asked = words.filter((word) => !FILLING.has(word));
  return (asked.length > 0 ? asked : words).join(" ");
}
