/**
 * Control characters, lone surrogates, and characters that turn the direction of the text after them: no name has them.
 */
export const CONTROL_CLASS = "\\p{Cc}\\p{Cs}\\u202a-\\u202e\\u2066-\\u2069";

const CONTROLS = new RegExp(`[${CONTROL_CLASS}]+`, "gu");

/** Format characters, fillers, and the blank of Braille. */
const INVISIBLE_CLASS = "\\p{Default_Ignorable_Code_Point}\\p{C}\\u2800";

const VISIBLE = new RegExp(`[^${INVISIBLE_CLASS}\\p{Z}]`, "u");

/** Removes what no name may contain. Line breaks and tabs become spaces. */
export function removeControls(text: string): string {
  return text.replace(/[\n\r\t\v\f]+/g, " ").replace(CONTROLS, "");
}

/** Cuts text to so many UTF-16 code units, and never through a character that takes two. */
export function cutText(text: string, maxLength: number): string {
  return text.length > maxLength ? text.slice(0, maxLength).replace(/[\ud800-\udbff]$/, "") : text;
}

/** Whether a screen shows anything of the text. */
export function isVisible(text: string): boolean {
  return VISIBLE.test(text);
}

/** What shows as a space without being one: the blank of Braille, and the fillers of Hangul. */
const BLANKS = /[\u2800\u3164\uffa0\u115f\u1160]/g;
const INVISIBLE = new RegExp(`[${INVISIBLE_CLASS}]`, "gu");

/** Equal for names that look alike: case, width, white space and invisible characters make no difference. */
export function foldName(name: string): string {
  const visible = name.replace(BLANKS, " ").replace(INVISIBLE, "");
  return visible.normalize("NFKC").toLowerCase().trim().replace(/\s+/g, " ");
}
