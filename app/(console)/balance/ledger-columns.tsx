import { ArrowDownLeft, ArrowUpRight, Scale } from "lucide-react";
import type { Column } from "@/components/table/column";
import type { CsvColumn } from "@/components/table/to-csv";
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

export const csvColumns: readonly CsvColumn<LedgerEntry>[] = [
  { header: "id", value: ({ id }) => id },
  { header: "created_at", value: ({ created_at }) => new Date(created_at * 1000).toISOString() },
  { header: "kind", value: ({ kind }) => kind },
  { header: "balance_change", value: ({ balance_change }) => balance_change },
  { header: "currency", value: ({ currency }) => currency },
  { header: "from_account", value: ({ from_account }) => from_account },
  { header: "to_account", value: ({ to_account }) => to_account },
  { header: "reference", value: ({ reference }) => reference ?? "" },
  { header: "request_id", value: ({ request_id }) => request_id ?? "" },
  { header: "project_id", value: ({ project_id }) => project_id ?? "" },
  { header: "model", value: ({ model }) => model ?? "" },
  { header: "prompt_tokens", value: ({ prompt_tokens }) => prompt_tokens ?? "" },
  { header: "completion_tokens", value: ({ completion_tokens }) => completion_tokens ?? "" },
  { header: "basis", value: ({ basis }) => basis ?? "" },
];
