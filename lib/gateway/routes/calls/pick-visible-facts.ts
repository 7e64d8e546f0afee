import type { RefusalFacts } from "@/lib/contract/errors";
import { formatAmount, parseAmount, toNano, ZERO } from "@/lib/money/amount";
import type { Caller } from "../../access/caller";

/** Removes the figures of balance and spend limits that the caller may not read. */
export function pickVisibleFacts(
  permissionsIn: Caller["permissionsIn"],
  { balance, spend_limit, circuit, ...facts }: RefusalFacts,
): RefusalFacts {
  const seesBalance = permissionsIn(null).has("api.balance.read");
  const seesSpending = spend_limit && permissionsIn(spend_limit.project).has("api.spend_limits.read");
  return {
    ...facts,
    circuit: permissionsIn(null).has("api.providers.read")
      ? circuit
      : without(circuit, "provider", "provider_model"),
    balance: seesBalance ? balance : without(balance, "available"),
    spend_limit: seesSpending ? spend_limit : without(spend_limit, "threshold", "spent"),
  };
}

function without<Figures extends object>(figures: Figures | undefined, ...names: (keyof Figures & string)[]) {
  const visible = Object.entries(figures ?? {}).filter(([name]) => !names.some((one) => one === name));
  return figures && (Object.fromEntries(visible) as Figures);
}

/** What the check that refused a call needed, and what was left of it; null where it has no such figures. */
export function describeNeed({ limit, balance, spend_limit: spending }: RefusalFacts): {
  needed: string | null;
  remaining: string | null;
} {
  if (limit)
    return { needed: String(limit.requested), remaining: String(Math.max(0, limit.max - limit.used)) };
  if (spending) {
    const { threshold, spent, required } = spending;
    return { needed: required, remaining: threshold && spent ? subtract(threshold, spent) : null };
  }
  return { needed: balance?.required ?? null, remaining: balance?.available ?? null };
}

function subtract(limit: string, spent: string): string {
  const left = toNano((parseAmount(limit) ?? ZERO) - (parseAmount(spent) ?? ZERO));
  return formatAmount(left < ZERO ? ZERO : left);
}
