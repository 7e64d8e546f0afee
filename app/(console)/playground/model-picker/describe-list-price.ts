import { groupDigits, trimDecimal } from "@/components/ui/values/group-digits";
import { writesTokens } from "@/lib/contract/calls/model-families";
import type { OrganizationModel } from "@/lib/contract/operations/models/models";

type Priced = Pick<OrganizationModel, "family" | "price" | "unit_price" | "currency" | "rate">;

/** Describes a list price as an amount and its unit: "1.25 in, 10.00 out" and "USD per 1M tokens × rate 0.20". */
export function describeListPrice({ family, price, unit_price, currency, rate }: Priced): {
  amount: string;
  unit: string;
} {
  const times = Number(rate) === 1 ? "" : ` × rate ${trimDecimal(rate)}`;
  if (price) {
    const { input_per_1m, output_per_1m } = price;
    if (Number(input_per_1m) === 0 && Number(output_per_1m) === 0) return { amount: "Free", unit: "" };
    const input = `${format(input_per_1m)} in`;
    return {
      amount: writesTokens(family) ? `${input}, ${format(output_per_1m)} out` : input,
      unit: `${currency} per 1M tokens${times}`,
    };
  }
  if (!unit_price) return { amount: "No price", unit: "" };
  const { unit, amount, qualities = {} } = unit_price;
  const others = Object.entries(qualities).map(([quality, one]) => `, ${quality} ${format(one)}`);
  if (Number(amount) === 0 && others.length === 0) return { amount: "Free", unit: "" };
  return { amount: format(amount) + others.join(""), unit: `${currency} per ${unit}${times}` };
}

function format(decimal: string): string {
  return groupDigits(trimDecimal(decimal));
}
