import type { LimitField } from "@/components/rate-limits/limit-fields";
import { parseQuantity } from "@/components/ui/number-fields/parse-number";
import { formatCount } from "@/components/ui/values/group-digits";

/** What a cell is set to: a number, null for no limit, or the default. */
export type LimitValue = number | null | "default";

type TypedLimit =
  | { readonly kind: "set"; readonly to: LimitValue }
  /** Nothing was typed: the cell stays as it is. */
  | { readonly kind: "unchanged" }
  | { readonly kind: "fault"; readonly message: string };

interface Context {
  readonly field: Pick<LimitField, "label" | "removable">;
  /** What the cell holds now, for `x2` and `+10%`; null for no limit. */
  readonly present: number | null;
  /**
   * True if dots group digits, as in `1.000`. False where the same block also groups by commas, so that a dot can mean
   * two things.
   */
  readonly dotsGroup?: boolean;
}

const NONE = /^(?:none|no limit|unlimited|∞)$/i;
const UNCHANGED = /^(?:n\/a)?$/i;
const FACTOR = /^(?:[x×*]\s*([\d.,]+)|([\d.,]+)\s*[x×])$/i;
const PERCENT = /^([+\-−])\s*([\d.,]+)\s*%$/;
const DOTTED = /^\d{1,3}(?:\.\d{3})+$/;
/** Digits with two dots can only be groups. */
const DOTTED_TWICE = /^\d{1,3}(?:\.\d{3}){2,}$/;
const EMPTY_FRACTION = /[.,]0{1,2}$/;
const COMMA_FRACTION = /^(\d+),(\d{1,2}|\d{4,})(?=\s*[kmb]$)/i;

/** True for `1,000`: then a block groups by commas, and its dots are no groups. */
export function groupsByCommas(text: string): boolean {
  return /^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/.test(text.trim());
}

/** Reads what was typed or pasted into a cell: `12k`, `1.5m`, `1.000.000`, `x2`, `+10%`, `none`, `default`. */
export function parseTyped(text: string, { field, present, dotsGroup = true }: Context): TypedLimit {
  const typed = text.trim();
  if (UNCHANGED.test(typed)) return { kind: "unchanged" };
  if (/^default$/i.test(typed)) return { kind: "set", to: "default" };
  if (NONE.test(typed)) {
    if (field.removable) return { kind: "set", to: null };
    return fault(`${field.label} always needs a number. Enter a high one to let everything through.`);
  }
  const scale = readScale(typed);
  if (scale) return multiply(present, scale, typed);
  if (typed.endsWith("%")) return fault("Write +10% or -10% to change it, or x1.5 to multiply it.");
  const parsed = parseQuantity(normalizeDigits(typed, dotsGroup));
  return parsed.ok ? { kind: "set", to: parsed.value } : fault(parsed.message);
}

/** Rewrites what spreadsheets write besides `1,000`: dots between groups, an empty fraction, a decimal comma. */
function normalizeDigits(typed: string, dotsGroup: boolean): string {
  const whole = /\d/.test(typed) ? typed.replace(EMPTY_FRACTION, "") : typed;
  if (DOTTED_TWICE.test(whole) || (dotsGroup && DOTTED.test(whole))) return whole.replaceAll(".", "");
  return whole.replace(COMMA_FRACTION, "$1.$2");
}

/** An exact factor: `numerator / denominator`. */
interface Scale {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

/** Null if the text isn't a factor. A factor that isn't a number has a denominator of 0. */
function readScale(typed: string): Scale | null {
  const factor = FACTOR.exec(typed);
  if (factor) return readDecimal(factor[1] ?? factor[2] ?? "");
  const [, sign, percent = ""] = PERCENT.exec(typed) ?? [];
  if (sign === undefined) return null;
  const { numerator, denominator } = readDecimal(percent);
  const hundred = 100n * denominator;
  return {
    numerator: sign === "+" ? hundred + numerator : hundred - numerator,
    denominator: hundred,
  };
}

function readDecimal(text: string): Scale {
  const [, whole = "", fraction = ""] = /^(\d{1,12})(?:[.,](\d{1,9}))?$/.exec(text) ?? [];
  if (whole === "") return { numerator: 0n, denominator: 0n };
  return { numerator: BigInt(whole + fraction), denominator: 10n ** BigInt(fraction.length) };
}

function multiply(present: number | null, { numerator, denominator }: Scale, typed: string): TypedLimit {
  if (denominator === 0n) return fault("Write a factor such as x2 or x1.5, or a change such as +10%.");
  if (present === null) return fault(`There is no limit to multiply. Enter a number in place of ${typed}.`);
  if (numerator < 0n) return fault(`${typed} of ${formatCount(present)} is below 0.`);
  const product = BigInt(present) * numerator;
  const below = product / denominator;
  if (product % denominator !== 0n) {
    return fault(
      `${typed} of ${formatCount(present)} isn’t a whole number. Enter ${formatCount(below)} or ${formatCount(below + 1n)}.`,
    );
  }
  if (below > BigInt(Number.MAX_SAFE_INTEGER)) {
    return fault(`Enter at most ${formatCount(Number.MAX_SAFE_INTEGER)}.`);
  }
  return { kind: "set", to: Number(below) };
}

function fault(message: string): TypedLimit {
  return { kind: "fault", message };
}
