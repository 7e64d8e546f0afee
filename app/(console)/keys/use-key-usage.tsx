"use client";

import { keyUsageRead } from "@/components/keys/key-reads";
import { useRead } from "@/components/queries/reads/use-read";
import { Skeleton } from "@/components/ui/states/skeleton";
import type { Column } from "@/components/ui/table/column";
import { Quantity } from "@/components/ui/values/quantity";
import { formatShortDecimal, formatShortMoney } from "@/components/ui/values/write-figures";
import type { ProjectApiKey } from "@/lib/contract/operations/keys/project-api-keys";
import { parseCheckedAmount } from "@/lib/money/amount";

const nothing = { requests: 0, amount: "0" };

/** Returns columns with each key's usage since a time in Unix seconds; none if the person can't see usage. */
export function useKeyUsage(projectId: string, since: number | null): readonly Column<ProjectApiKey>[] {
  const [read, parameters] = keyUsageRead(projectId, since ?? 0);
  const { data, error } = useRead(read, parameters, { enabled: since !== null });
  if (since === null) return [];
  const sums = new Map(data?.data.map((sum) => [sum.group_id, sum]));
  // A key without calls has no sum. But if not all sums were loaded, a missing sum doesn't mean zero.
  const isWhole = data !== undefined && !data.has_more;
  const usedBy = ({ id }: ProjectApiKey) => sums.get(id) ?? (isWhole ? nothing : null);
  const unknown =
    data || error ? <span className="text-muted">unknown</span> : <Skeleton className="ml-auto h-4 w-10" />;
  return [
    {
      id: "calls",
      header: "30-day calls",
      numeric: true,
      ...(isWhole && { sortValue: (key: ProjectApiKey) => usedBy(key)?.requests ?? null }),
      cell: (key) => {
        const used = usedBy(key);
        return used ? <Quantity value={used.requests} /> : unknown;
      },
    },
    {
      id: "spend",
      header: "30-day spend",
      unit: data?.data[0]?.currency,
      numeric: true,
      ...(isWhole && { sortValue: (key: ProjectApiKey) => parseCheckedAmount(usedBy(key)?.amount ?? "0") }),
      amount: (key) => formatShortDecimal(parseCheckedAmount(usedBy(key)?.amount ?? "0")),
      cell: (key) => {
        const used = usedBy(key);
        return used ? <data value={used.amount}>{formatShortMoney(used.amount)}</data> : unknown;
      },
    },
  ];
}
