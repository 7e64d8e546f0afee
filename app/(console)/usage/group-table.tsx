"use client";

import { useSearchParams } from "next/navigation";
import { useMemo } from "react";
import { Section } from "@/components/ui/section";
import { SortedTable } from "@/components/ui/table/sorted-table";
import { groupingNames } from "@/components/usage/groupings";
import { paths } from "@/lib/console/paths";
import type { UsageDimension, UsageSummary } from "@/lib/contract/operations/usage/usage-summary";
import { buildGroupRows, groupColumns } from "./group-columns";

/**
 * All figures by group. A row links to that group alone, broken down by model, or by project if the rows are models.
 */
export function GroupTable({ summary, grouping }: { summary: UsageSummary; grouping: UsageDimension }) {
  const search = useSearchParams();
  const { currency, totals } = summary;
  const hasAudio = totals.input_audio_tokens + totals.output_audio_tokens > 0;
  const columns = useMemo(
    () => groupColumns(grouping, { currency, hasAudio }),
    [grouping, currency, hasAudio],
  );
  const rows = buildGroupRows(summary, grouping);
  const alone = (id: string | null) =>
    id === null
      ? undefined
      : paths.usage({
          ...Object.fromEntries(search),
          [grouping]: id,
          group_by: grouping === "model" ? "project_id" : "model",
        });
  const noun = groupingNames.find(({ value }) => value === grouping)?.label.toLowerCase();
  return (
    <Section title={`By ${noun}`}>
      <SortedTable
        caption={`Usage by ${noun}`}
        columns={columns}
        rows={rows}
        rowId={({ id, isRest }) => (isRest ? "rest" : (id ?? "none"))}
        rowHref={({ id }) => alone(id)}
        none="No calls in this period."
      />
    </Section>
  );
}
