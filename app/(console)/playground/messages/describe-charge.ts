import type { ChargeExplanation } from "@/components/money/explain-charge";
import { describeUnits } from "@/components/ui/values/describe-units";
import { formatCount, groupDigits, trimDecimal } from "@/components/ui/values/group-digits";

/** A charge's arithmetic in one line: "(3 × 1.00 + 3 × 2.00) ÷ 1,000,000 × model rate 0.50". */
export function describeCharge(explained: ChargeExplanation): string {
  const { promptTokens, completionTokens, inputPer1m, outputPer1m, rate, made, audio, cappedAt } = explained;
  const { classes, tools } = explained;
  const tokens = [
    (!made || promptTokens > 0) && `${formatCount(promptTokens)} × ${price(inputPer1m)}`,
    ...classes.map(
      ({ name, tokens: count, per1m }) => `${formatCount(count)} of ${name.toLowerCase()} × ${price(per1m)}`,
    ),
    (!made || completionTokens > 0) && `${formatCount(completionTokens)} × ${price(outputPer1m)}`,
    audio &&
      audio.promptTokens > 0 &&
      `${formatCount(audio.promptTokens)} of audio × ${price(audio.inputPer1m)}`,
    audio &&
      audio.completionTokens > 0 &&
      `${formatCount(audio.completionTokens)} of audio × ${price(audio.outputPer1m)}`,
  ].filter((term) => typeof term === "string");
  const parts = [
    made && `${describeUnits(made.units, made.unit)} × ${price(made.amount)}`,
    ...tools.map(({ name, calls, amount }) => `${formatCount(calls)} ${name} × ${price(amount)}`),
    tokens.length > 0 && `(${tokens.join(" + ")}) ÷ 1,000,000`,
  ].filter((part) => typeof part === "string");
  const listPrice = parts.length > 1 ? `(${parts.join(" + ")})` : parts.join("");
  const cap = cappedAt === null ? "" : `, capped at the hold: ${price(cappedAt)}`;
  return `${listPrice} × model rate ${rate}${cap}`;
}

const price = (decimal: string) => groupDigits(trimDecimal(decimal));
