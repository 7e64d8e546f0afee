import { LARGEST_UNITS, parseAmount } from "@/lib/money/amount";
import { groupDigits } from "../ui/group-digits";
import type { Parsed } from "./parse-quantity";

type DecimalRules = {
  /** Places after the point that are kept; more are refused, never rounded. */
  places?: number;
};

/**
 * The amount or rate a person typed, as the decimal string the API takes: `1,000.5` → `1000.5`.
 * From 0 to 9,000,000,000, with up to nine places (nano-units). A comma as decimal point is refused, since it could also group.
 */
export function parseDecimal(typed: string, { places = 9 }: DecimalRules = {}): Parsed<string> {
  const text = typed.trim().replace(/^[$€£]\s*/, "");
  if (text === "") return refuse("Enter a number, such as 10.00.");
  if (/^[-−]/.test(text)) return refuse("Enter 0 or more.");

  const [whole = "", fraction = "", ...rest] = text.split(".");
  const plain = /^\d*$/.test(whole) || /^\d{1,3}(?:([,_ '\u00a0\u202f])\d{3})(?:\1\d{3})*$/.test(whole);
  if (!plain && /^\d+,\d+$/.test(text))
    return refuse(`“${text}” can mean two numbers. Write the decimal point as a dot.`);
  if (rest.length > 0 || !plain || !/^\d*$/.test(fraction) || whole + fraction === "") {
    return refuse("Enter a number, such as 10.00.");
  }
  const significant = fraction.replace(/0+$/, "");
  if (significant.length > places) return refuse(`Enter at most ${places} places after the point.`);
  const integer = whole.replace(/\D/g, "").replace(/^0+(?=\d)/, "") || "0";
  const value = fraction === "" ? integer : `${integer}.${fraction.slice(0, places)}`;
  if (parseAmount(value) === null) return refuse(`Enter at most ${groupDigits(String(LARGEST_UNITS))}.`);
  return { ok: true, value };
}

function refuse(message: string): { ok: false; message: string } {
  return { ok: false, message };
}
