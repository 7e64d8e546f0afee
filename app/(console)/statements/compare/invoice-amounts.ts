import { parseDecimal } from "@/components/ui/number-fields/parse-decimal";
import { formatAmount, type Nano, parseCheckedAmount, toNano } from "@/lib/money/amount";
import { divideRounded } from "@/lib/money/rounding";

const PLACES = 9;
const NEGATIVE = /^\((.+)\)$|^[-−](.+)$|^([^\d−-]+)[-−](.+)$|^(.+)[-−]$/s;
const EXPONENT = /^(\d+)(?:\.(\d+))?e([+-]?\d{1,2})$/i;
const LONG = /^([^\d.]*)(\d*)\.(\d{10,40})([^\d.]*)$/s;

type ParsedAmount = { ok: true; value: Nano; isRounded: boolean } | { ok: false; message: string };

/** Separates an amount from its sign, as invoices write credits: -2.00, −2.00, $-2.00, (2.00) or 2.00-. */
export function splitSign(text: string): { isNegative: boolean; magnitude: string } {
  const [isNegative, bracketed, after, mark = "", behindMark, before] = NEGATIVE.exec(text.trim()) ?? [];
  if (!isNegative) return { isNegative: false, magnitude: text.trim() };
  return { isNegative: true, magnitude: (bracketed ?? after ?? before ?? `${mark}${behindMark}`).trim() };
}

/**
 * Reads an amount of an invoice. Providers export more than nine decimals, and exponents; both are rounded to nine
 * decimals.
 */
export function parseInvoiceAmount(text: string, currency: string): ParsedAmount {
  const { isNegative, magnitude } = splitSign(text);
  const { short, isRounded } = shorten(expandExponent(magnitude));
  const parsed = parseDecimal(short, { currency });
  if (!parsed.ok) return { ok: false, message: `“${text}”: ${parsed.message}` };
  return { ok: true, value: parseCheckedAmount(isNegative ? `-${parsed.value}` : parsed.value), isRounded };
}

/** 1.5e-5 → 0.000015. */
function expandExponent(text: string): string {
  const [, whole, fraction = "", exponent] = EXPONENT.exec(text) ?? [];
  if (whole === undefined) return text;
  const digits = whole + fraction;
  const point = whole.length + Number(exponent);
  if (point <= 0) return `0.${"0".repeat(-point)}${digits}`;
  return `${digits.padEnd(point, "0").slice(0, point)}.${digits.slice(point) || "0"}`;
}

function shorten(text: string): { short: string; isRounded: boolean } {
  const [, mark, whole = "", fraction = "", behind] = LONG.exec(text) ?? [];
  if (mark === undefined) return { short: text, isRounded: false };
  const nano = divideRounded(BigInt(whole + fraction), 10n ** BigInt(fraction.length - PLACES));
  const isRounded = /[1-9]/.test(fraction.slice(PLACES));
  return { short: `${mark}${formatAmount(toNano(nano))}${behind}`, isRounded };
}
