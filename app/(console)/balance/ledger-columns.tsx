import { ArrowDownLeft, ArrowUpRight, Scale } from "lucide-react";
import type { Column } from "@/components/table/column";
import { Status } from "@/components/ui/status";
import type { LedgerEntry } from "@/lib/contract/operations/balance";
import { entryColumns, entryKinds } from "../ledger-entry-columns";

const looks = {
  payment: { tone: "good", icon: ArrowDownLeft },
  charge: { tone: "neutral", icon: ArrowUpRight },
  provider_variance: { tone: "near", icon: Scale },
} as const;

export function ledgerColumns(currency: string | undefined): readonly Column<LedgerEntry>[] {
  const [subject, ...rest] = entryColumns(currency);
  return [
    {
      id: "kind",
      header: "Entry",
      apiName: "kind",
      width: "w-44",
      cell: ({ kind }) => <Status {...looks[kind]}>{entryKinds[kind]}</Status>,
    },
    ...(subject ? [subject] : []),
    {
      id: "basis",
      header: "Usage",
      apiName: "basis",
      width: "w-32",
      phone: "hidden",
      wide: true,
      cell: ({ basis }) =>
        basis === "reported" || basis === null ? basis : <Status tone="near">{basis}</Status>,
    },
    ...rest,
  ];
}
