import { ArrowDownLeft, ArrowUpRight, Scale, Undo2 } from "lucide-react";
import { entryColumns, entryKinds } from "@/components/money/ledger-entry-columns";
import { Status } from "@/components/ui/status";
import type { Column } from "@/components/ui/table/column";
import { DateTime } from "@/components/ui/time/date-time";
import { Money } from "@/components/ui/values/money";
import type { LedgerEntry } from "@/lib/contract/operations/money/balance";

const looks = {
  payment: { tone: "good", icon: ArrowDownLeft },
  charge: { tone: "neutral", icon: ArrowUpRight },
  correction: { tone: "neutral", icon: Undo2 },
  provider_variance: { tone: "near", icon: Scale },
} as const;

/** Entry columns for the ledger: also the entry's owner, the exact date and the running balance. */
export function ledgerColumns(currency: string | undefined): readonly Column<LedgerEntry>[] {
  const { subject, tokens, time, amount } = entryColumns(currency);
  return [
    {
      id: "kind",
      header: "Entry",
      apiName: "kind",
      width: "w-36",
      cell: ({ kind, basis }) => (
        <>
          <Status {...looks[kind]}>{entryKinds[kind]}</Status>
          {basis !== null && basis !== "reported" && (
            <span className="ml-2 text-sm text-warning">{basis}</span>
          )}
        </>
      ),
    },
    { ...time, width: "w-40", cell: ({ created_at }) => <DateTime at={created_at} /> },
    subject,
    {
      id: "project",
      header: "Project",
      apiName: "project_name",
      width: "w-36",
      cell: ({ project_id, project_name }) => (
        <span className="wrap-anywhere">{project_name ?? project_id}</span>
      ),
    },
    {
      id: "key",
      header: "Key",
      apiName: "key_name",
      width: "w-36",
      phone: "hidden",
      wide: true,
      cell: ({ key_id, key_name }) => <span className="wrap-anywhere">{key_name ?? key_id}</span>,
    },
    { ...tokens, width: "w-36", wide: true },
    { ...amount, width: "w-36" },
    {
      id: "balance",
      header: "Balance",
      apiName: "balance_after",
      width: "w-36",
      unit: currency,
      numeric: true,
      amount: ({ balance_after }) => balance_after,
      cell: ({ balance_after }) => balance_after && <Money amount={balance_after} />,
    },
  ];
}
