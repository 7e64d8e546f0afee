/**
 * Control characters, lone surrogates, and characters that turn the direction of the text after them: no name has them.
 */
export const CONTROL_CLASS = "\\p{Cc}\\p{Cs}\\u202a-\\u202e\\u2066-\\u2069";

const CONTROLS = new RegExp(`[${CONTROL_CLASS}]+`, "gu");

/** Anything but white space, format characters, fillers, and the blank of Braille. */
const VISIBLE = /[^\p{Default_Ignorable_Code_Point}\p{Z}\p{C}\u2800]/u;

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

const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Cf}]/gu;

/** Equal for names that look alike: case, width, white space and invisible characters make no difference. */
export function foldName(name: string): string {
  return name.replace(INVISIBLE, "").normalize("NFKC").toLowerCase().trim().replace(/\s+/g, " ");
}
