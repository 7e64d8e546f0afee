import { formatCount, groupDigits } from "@/components/ui/values/group-digits";
import { MAX_UNITS, parseAmount } from "@/lib/money/amount";

/** Characters without width, which pasted text may have at its ends. */
const UNSEEN = /^[\u200b\u2060\ufeff]+|[\u200b\u2060\ufeff]+$/g;

/** What may stand between groups of three digits, besides a dot: the inside of a character class. */
const SEPARATORS = ",_ '’\\u00a0\\u2007\\u2009\\u202f";

/** Removes what nobody sees at the ends of a typed or pasted number. */
function trimNumber(text: string): string {
  return text.trim().replace(UNSEEN, "").trim();
}

export type ParsedText<Value> = { ok: true; value: Value } | { ok: false; message: string };

const LARGEST = BigInt(Number.MAX_SAFE_INTEGER);
const zerosBySuffix: Record<string, number> = { k: 3, m: 6, b: 9 };
const GROUPED_WHOLE = new RegExp(`^\\d{1,3}(?:([${SEPARATORS}])\\d{3})(?:\\1\\d{3})*$`);
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
  if (/^\d+$/.test(number) || GROUPED_WHOLE.test(number)) return within(BigInt(number.replace(/\D/g, "")));
  if (/^\d{1,3}(\.\d{3})+$/.test(number)) {
    return refuse(
      `“${number}” can mean two numbers. Write ${groupDigits(number.replaceAll(".", ""))} or leave the dot out.`,
    );
  }
  if (/^\d*\.\d*$/.test(number)) return refuse("Enter a whole number, without a fraction.");
  return refuse(`“${number}” can mean two numbers. Group digits in threes, such as 1,000, or not at all.`);
}

function parseScaled(number: string, zeros: number): ParsedText<number> {
  if (GROUPED_WHOLE.test(number)) return within(BigInt(number.replace(/\D/g, "")) * 10n ** BigInt(zeros));
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

type DecimalRules = {
  /** Maximum decimal places. More are refused, never rounded. */
  places?: number;
  /**
   * The currency, for payment amounts. Other currencies are refused, and so is a dot that could be a thousands
   * separator.
   */
  currency?: string | undefined;
};

const SYMBOLS: Record<string, RegExp> = { $: /D$|^MXN$|^CLP$|^COP$|^ARS$/, "€": /^EUR$/, "£": /^GBP$/ };
const MARK = "[A-Z]{2}\\$|[$€£]|[A-Za-z]{3}";
const MARKED = new RegExp(`^(?:(${MARK})\\s*)?(.*?)(?:\\s*(${MARK}))?$`, "s");

/**
 * Parses a typed or pasted amount or rate (`1,000.5`, `1.000,5`, `$10`, `10,50 €`) into the API's decimal string.
 * Accepts 0 to 9,000,000,000 with up to nine decimal places (nano-units).
 */
export function parseDecimal(input: string, { places = 9, currency }: DecimalRules = {}): ParsedText<string> {
  const [, before, text = "", after] = MARKED.exec(trimNumber(input).replace(/^\+(?=\S)/, "")) ?? [];
  if (text === "") return refuse("Enter a number, such as 10.00.");
  if (/^[-−]/.test(text)) return refuse("Enter 0 or more.");
  const foreign = [before, after].find((mark) => mark && !isCurrencyMark(mark, currency));
  if (foreign) return refuse(foreignWords(foreign, currency));

  const digits = separate(text);
  if (!digits) return refuse("Enter a number, such as 10.00.");
  if (currency && /^[1-9]\d{0,2}\.\d{3}$/.test(text)) {
    // Without a comma, which would split it in a CSV file.
    return refuse(`This can mean two amounts. Write ${text.replace(".", "")}.00 or ${text}0.`);
  }
  const significant = digits.fraction.replace(/0+$/, "");
  if (significant.length > places) return refuse(`Enter at most ${places} decimal places.`);
  const value = digits.fraction === "" ? digits.whole : `${digits.whole}.${digits.fraction.slice(0, places)}`;
  if (parseAmount(value) === null) return refuse(`Enter at most ${formatCount(MAX_UNITS)}.`);
  return { ok: true, value };
}

/**
 * Splits at the decimal point: a dot, or a comma that can't be a thousands separator. Null if the text isn't a number.
 */
function separate(text: string): { whole: string; fraction: string } | null {
  for (const point of [".", ","]) {
    const [wholePart = "", fraction = "", ...moreParts] = text.split(point);
    const hasDigits = /^\d*$/.test(fraction) && wholePart + fraction !== "";
    if (moreParts.length === 0 && hasDigits && isWhole(wholePart, point)) {
      return { whole: wholePart.replace(/\D/g, "").replace(/^0+(?=\d)/, "") || "0", fraction };
    }
  }
  return null;
}

const GROUPED = new RegExp(`^[1-9]\\d{0,2}(?:([.${SEPARATORS}])\\d{3})(?:\\1\\d{3})*$`);

function isWhole(text: string, point: string): boolean {
  const plain = point === "," ? /^(?:0|[1-9]\d*)$/ : /^\d*$/;
  return plain.test(text) || (!text.includes(point) && GROUPED.test(text));
}

function isCurrencyMark(mark: string, currency: string | undefined): boolean {
  const symbol = SYMBOLS[mark];
  if (symbol) return currency === undefined || symbol.test(currency);
  // US$ is the dollar of USD.
  return mark.toUpperCase().replace("$", "D") === currency;
}

function foreignWords(mark: string, currency: string | undefined): string {
  if (!currency) return "Enter a number, such as 10.00.";
  return `Enter an amount in ${currency}: “${mark}” is another currency.`;
}

function refuse(message: string): { ok: false; message: string } {
  return { ok: false, message };
}
