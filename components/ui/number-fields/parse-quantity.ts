import { formatCount, groupDigits } from "../values/group-digits";

/** Characters without width, which pasted text may have at its ends. */
const UNSEEN = /^[\u200b\u2060\ufeff]+|[\u200b\u2060\ufeff]+$/g;

/** What may stand between groups of three digits, besides a dot: the inside of a character class. */
export const SEPARATORS = ",_ '’\\u00a0\\u2007\\u2009\\u202f";

/** Removes what nobody sees at the ends of a typed or pasted number. */
export function trimNumber(text: string): string {
  return text.trim().replace(UNSEEN, "").trim();
}

export type ParsedText<Value> = { ok: true; value: Value } | { ok: false; message: string };

const LARGEST = BigInt(Number.MAX_SAFE_INTEGER);
const zerosBySuffix: Record<string, number> = { k: 3, m: 6, b: 9 };
const GROUPED = new RegExp(`^\\d{1,3}(?:([${SEPARATORS}])\\d{3})(?:\\1\\d{3})*$`);
const FOREIGN = new RegExp(`[^\\d.${SEPARATORS}]`);

/**
 * Parses a typed or pasted whole number: `1000`, `1,000`, `1_000`, `1 000`, `1k`, `2.5m`. Accepts 0 to 9007199254740991
 * and never rounds. Refuses ambiguous text with a message that says how to write it.
 */
export function parseQuantity(input: string): ParsedText<number> {
  const text = trimNumber(input).toLowerCase();
  if (text === "") return refuse("Enter a whole number, such as 1,000.");
  if (/^[-−]/.test(text)) return refuse("Enter 0 or more.");

  const [, number = "", suffix = ""] = /^(.*?)\s*([a-z]*)$/.exec(text) ?? [];
  const zeros = suffix === "" ? 0 : zerosBySuffix[suffix];
  if (zeros === undefined || number === "" || FOREIGN.test(number)) {
    return refuse("Enter a whole number: 1000, 1,000, 1k or 2.5m.");
  }
  return suffix === "" ? parseWhole(number) : parseScaled(number, zeros);
}

function parseWhole(number: string): ParsedText<number> {
  if (/^\d+$/.test(number) || GROUPED.test(number)) return within(BigInt(number.replace(/\D/g, "")));
  if (/^\d{1,3}(\.\d{3})+$/.test(number)) {
    return refuse(
      `“${number}” can mean two numbers. Write ${groupDigits(number.replaceAll(".", ""))} or leave the dot out.`,
    );
  }
  if (/^\d*\.\d*$/.test(number)) return refuse("Enter a whole number, without a fraction.");
  return refuse(`“${number}” can mean two numbers. Group digits in threes, such as 1,000, or not at all.`);
}

function parseScaled(number: string, zeros: number): ParsedText<number> {
  if (GROUPED.test(number)) return within(BigInt(number.replace(/\D/g, "")) * 10n ** BigInt(zeros));
  const [, wholePart = "", fraction = ""] = /^(\d+)(?:\.(\d+))?$/.exec(number) ?? [];
  if (wholePart === "") return refuse("Enter a whole number: 1000, 1,000, 1k or 2.5m.");
  const significant = fraction.replace(/0+$/, "");
  if (significant.length > zeros) return refuse("Enter a whole number, without a fraction.");
  return within(BigInt(wholePart + significant.padEnd(zeros, "0")));
}

function within(value: bigint): ParsedText<number> {
  if (value > LARGEST) return refuse(`Enter at most ${formatCount(LARGEST)}.`);
  return { ok: true, value: Number(value) };
}

function refuse(message: string): { ok: false; message: string } {
  return { ok: false, message };
}
