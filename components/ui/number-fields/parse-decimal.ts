import { MAX_UNITS, parseAmount } from "@/lib/money/amount";
import { formatCount } from "../values/group-digits";
import { type ParsedText, SEPARATORS, trimNumber } from "./parse-quantity";

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
