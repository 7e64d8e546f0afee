"use client";

import { useState } from "react";
import { useRead } from "@/components/queries/reads/use-read";
import { wholeList } from "@/components/queries/reads/whole-list";
import { ReadState } from "@/components/queries/states/read-state";
import { containsWords } from "@/components/ui/search/match-words";
import { SearchBox } from "@/components/ui/search-box";
import { TableSkeleton } from "@/components/ui/states/skeleton";
import type { Column } from "@/components/ui/table/column";
import { FirstRowsNote } from "@/components/ui/table/first-rows-note";
import { SortedTable } from "@/components/ui/table/sorted-table";
import { Toolbar } from "@/components/ui/table/toolbar";
import { labelGroup } from "@/components/usage/build-series";
import type { ReadParameters } from "@/lib/console/reads/reads";
import type { UsageDimension, UsageSum, UsageSummary } from "@/lib/contract/operations/usage/usage-summary";
import { type GroupRow, groupColumns } from "./group-columns";

type EveryGroupProps = {
  summary: UsageSummary;
  grouping: UsageDimension;
  read: "listUsageSums" | "listOwnUsageSums";
  /** Those of the summary. */
  parameters: ReadParameters;
  /** The plural noun of the groups: "projects". */
  noun: string;
  hasAudio: boolean;
  rowHref: (id: string | null) => string | undefined;
};

/** Every group of the period with its figures, those that the chart draws together too: searched and sorted here. */
export function EveryGroup(props: EveryGroupProps) {
  const { summary, grouping, read, parameters, noun, hasAudio, rowHref } = props;
  const [typed, setTyped] = useState("");
  const { order_by: _order, latencies: _latencies, series: _series, ...filters } = parameters;
  const asked = { ...filters, bucket_width: "range", end_time: String(summary.end_time) };
  const sums = useRead(...wholeList<"listUsageSums" | "listOwnUsageSums">(read, asked));
  const columns = groupColumns(grouping, { currency: summary.currency, hasAudio }).filter(isKnown);
  return (
    <ReadState
      read={sums}
      to={`list the ${noun}`}
      skeleton={<TableSkeleton rows={10} columns={columns.length} />}
    >
      {({ data, has_more: hasMore }) => (
        <div>
          <Toolbar>
            <SearchBox label={`Search ${noun}`} text={typed} setText={setTyped} />
          </Toolbar>
          <SortedTable
            caption={`Usage of every one of the ${noun}`}
            columns={columns}
            rows={data.map((sum) => toRow(grouping, sum)).filter(({ label }) => containsWords(label, typed))}
            rowId={({ id }) => id ?? "none"}
            rowHref={({ id }) => rowHref(id)}
            initialSort={{ column: "amount", descending: true }}
            none={typed ? `None of the ${noun} has “${typed}” in its name.` : "No calls in this period."}
          />
          {hasMore && <FirstRowsNote shown={data.length} />}
        </div>
      )}
    </ReadState>
  );
}

/** The period before is summed for the largest alone. */
const isKnown = ({ id }: Column<GroupRow>) => id !== "change";

const toRow = (grouping: UsageDimension, sum: UsageSum): GroupRow => ({
  id: sum.group_id,
  label: labelGroup(grouping, {
    id: sum.group_id,
    name: sum.group_name,
    project_name: grouping === "api_key_id" ? sum.project_name : null,
  }),
  totals: sum,
  previous_totals: null,
  isRest: false,
});
