"use client";

import { useSearchParams } from "next/navigation";
import { useMemo, useState } from "react";
import { Button } from "@/components/ui/button";
import { Section } from "@/components/ui/section";
import { SortedTable } from "@/components/ui/table/sorted-table";
import { formatCount } from "@/components/ui/values/group-digits";
import { groupingNames } from "@/components/usage/groupings";
import { paths } from "@/lib/console/paths";
import type { ReadParameters } from "@/lib/console/reads/reads";
import type { UsageDimension, UsageSummary } from "@/lib/contract/operations/usage/usage-summary";
import { EveryGroup } from "./every-group";
import { buildGroupRows, groupColumns } from "./group-columns";

type GroupTableProps = {
  summary: UsageSummary;
  grouping: UsageDimension;
  /** The list of every group, with the parameters of the summary. */
  read: "listUsageSums" | "listOwnUsageSums";
  parameters: ReadParameters;
};

/**
 * All figures by group. A row links to that group alone, broken down by model, or by project if the rows are models.
 */
export function GroupTable({ summary, grouping, read, parameters }: GroupTableProps) {
  const search = useSearchParams();
  const [showsEvery, setShowsEvery] = useState(false);
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
  const { rest } = summary;
  if (rest && showsEvery)
    return (
      <Section title={`By ${noun}`} actions={<TopOnly show={() => setShowsEvery(false)} />}>
        <EveryGroup
          {...{ summary, grouping, read, parameters, hasAudio }}
          noun={`${noun}s`}
          rowHref={alone}
        />
      </Section>
    );
  return (
    <Section
      title={`By ${noun}`}
      actions={
        rest && (
          <Button size="small" onClick={() => setShowsEvery(true)}>
            Search all {formatCount(summary.groups.length + rest.groups)}
          </Button>
        )
      }
    >
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

const TopOnly = ({ show }: { show: () => void }) => (
  <Button size="small" onClick={show}>
    Show the largest only
  </Button>
);
