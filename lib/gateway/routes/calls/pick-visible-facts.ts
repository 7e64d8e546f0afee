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

/** What the check that refused a call needed, what was left of it, and the limit of then; null where there are none. */
export function describeNeed({ limit, balance, spend_limit: spending }: RefusalFacts): {
  needed: string | null;
  remaining: string | null;
  limit: string | null;
} {
  if (limit) {
    const { requested, max, used } = limit;
    return { needed: String(requested), remaining: String(Math.max(0, max - used)), limit: String(max) };
  }
  if (spending) {
    const { threshold, spent, required } = spending;
    const remaining = threshold && spent ? subtract(threshold, spent) : null;
    return { needed: required, remaining, limit: threshold ?? null };
  }
  return { needed: balance?.required ?? null, remaining: balance?.available ?? null, limit: null };
}

function subtract(limit: string, spent: string): string {
  const left = toNano((parseAmount(limit) ?? ZERO) - (parseAmount(spent) ?? ZERO));
  return formatAmount(left < ZERO ? ZERO : left);
}
