import type { Column } from "@/components/ui/table/column";
import { RelativeTime } from "@/components/ui/time/shown-time";
import { describeUnits } from "@/components/ui/values/describe-units";
import { formatCount } from "@/components/ui/values/group-digits";
import { Money } from "@/components/ui/values/money";
import type { LedgerEntry } from "@/lib/contract/operations/money/balance";

export const entryKinds: Record<LedgerEntry["kind"], string> = {
  payment: "Payment",
  charge: "Charge",
  correction: "Correction",
  provider_variance: "Provider variance",
};

/** Returns what an entry is for: the called model, a payment's reference, or why it corrects another entry. */
export function nameSubject({
  model,
  reference,
  reason,
}: Pick<LedgerEntry, "model" | "reference" | "reason">) {
  if (reason) return <span className="wrap-anywhere">{reason}</span>;
  if (model) return <code className="font-mono text-sm wrap-anywhere">{model}</code>;
  return <span className="wrap-anywhere text-muted">{reference ?? "No reference"}</span>;
}

/** Returns `3 in, 12 out` or `2 images`; null for entries that aren't charges. */
function describeUsage({ prompt_tokens, completion_tokens, units, price }: LedgerEntry): string | null {
  if (units !== undefined && price?.per_unit) return describeUnits(units, price.per_unit.unit);
  if (prompt_tokens === null || completion_tokens === null) return null;
  return `${formatCount(prompt_tokens)} in, ${formatCount(completion_tokens)} out`;
}

/** Returns the columns shared by all lists of entries: subject, usage, time and amount. */
export function entryColumns(currency: string | undefined) {
  return {
    subject: { id: "subject", header: "For", cell: nameSubject },
    tokens: {
      id: "tokens",
      header: "Usage",
      width: "w-48",
      phone: "hidden",
      numeric: true,
      cell: (entry) => <span className="whitespace-nowrap">{describeUsage(entry)}</span>,
    },
    time: {
      id: "time",
      header: "When",
      apiName: "created_at",
      width: "w-40",
      cell: (entry) => <RelativeTime at={entry.created_at} />,
    },
    amount: {
      id: "amount",
      header: "Amount",
      apiName: "balance_change",
      width: "w-44",
      unit: currency,
      numeric: true,
      phone: "end",
      amount: (entry) => entry.balance_change,
      cell: (entry) => <Money amount={entry.balance_change} isSigned />,
    },
  } satisfies Record<string, Column<LedgerEntry>>;
}
