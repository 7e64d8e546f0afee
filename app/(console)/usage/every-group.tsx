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
import { countNouns } from "@/components/ui/values/group-digits";
import { Quantity } from "@/components/ui/values/quantity";
import {
  computeChange,
  describeChange,
  formatRoundedDuration,
  formatShortDecimal,
  formatShortMoney,
} from "@/components/ui/values/write-figures";
import { labelGroup } from "@/components/usage/build-series";
import { groupingNames } from "@/components/usage/usage-query";
import type { ReadParameters } from "@/lib/console/reads/reads";
import type {
  UsageDimension,
  UsageGroup,
  UsageSum,
  UsageSummary,
} from "@/lib/contract/operations/usage/usage-summary";
import { parseCheckedAmount } from "@/lib/money/amount";

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

/** A group, or all remaining groups together. */
type GroupRow = Pick<UsageGroup, "totals" | "previous_totals" | "id"> & {
  readonly label: string;
  readonly isRest: boolean;
};

export function buildGroupRows({ groups, rest }: UsageSummary, grouping: UsageDimension): GroupRow[] {
  const rows = groups.map((group) => ({ ...group, label: labelGroup(grouping, group), isRest: false }));
  return rest
    ? [...rows, { ...rest, id: null, label: countNouns(rest.groups, "other"), isRest: true }]
    : rows;
}

function number(id: string, header: string, readValue: (row: GroupRow) => number): Column<GroupRow> {
  return {
    id,
    header,
    numeric: true,
    sortValue: readValue,
    cell: (row) => <Quantity value={readValue(row)} />,
  };
}

function Duration({ ms }: { ms: number | null }) {
  return <span className="whitespace-nowrap">{formatRoundedDuration(ms)}</span>;
}

/** Tokens of audio are a part of the input and the output. */
const audioColumns: readonly Column<GroupRow>[] = [
  {
    ...number("audio-input", "Audio input", ({ totals }) => totals.input_audio_tokens),
    wide: true,
    phone: "hidden",
  },
  {
    ...number("audio-output", "Audio output", ({ totals }) => totals.output_audio_tokens),
    wide: true,
    phone: "hidden",
  },
];

/** @param hasAudio whether to show tokens of audio. */
export function groupColumns(
  grouping: UsageDimension,
  { currency, hasAudio }: { currency: string; hasAudio: boolean },
): readonly Column<GroupRow>[] {
  return [
    {
      id: "group",
      header: groupingNames.find(({ value }) => value === grouping)?.label ?? "Group",
      sortValue: ({ label }) => label,
      cell: ({ label, isRest }) => <span className={isRest ? "text-muted" : "font-medium"}>{label}</span>,
    },
    number("requests", "Requests", ({ totals }) => totals.requests),
    { ...number("input", "Input tokens", ({ totals }) => totals.prompt_tokens), wide: true, phone: "hidden" },
    {
      ...number("cached", "Cached input", ({ totals }) => totals.cached_tokens),
      wide: true,
      phone: "hidden",
    },
    {
      ...number("output", "Output tokens", ({ totals }) => totals.completion_tokens),
      wide: true,
      phone: "hidden",
    },
    ...(hasAudio ? audioColumns : []),
    number("errors", "Errors", ({ totals }) => totals.errors),
    number("refusals", "Refusals", ({ totals }) => totals.refusals),
    {
      id: "p50",
      header: "p50",
      numeric: true,
      wide: true,
      phone: "hidden",
      sortValue: ({ totals }) => totals.duration_p50_ms ?? -1,
      cell: ({ totals }) => <Duration ms={totals.duration_p50_ms} />,
    },
    {
      id: "p95",
      header: "p95",
      numeric: true,
      sortValue: ({ totals }) => totals.duration_p95_ms ?? -1,
      cell: ({ totals }) => <Duration ms={totals.duration_p95_ms} />,
    },
    {
      id: "amount",
      header: "Spend",
      unit: currency,
      numeric: true,
      phone: "end",
      amount: ({ totals }) => formatShortDecimal(parseCheckedAmount(totals.amount)),
      sortValue: ({ totals }) => parseCheckedAmount(totals.amount),
      cell: ({ totals }) => <data value={totals.amount}>{formatShortMoney(totals.amount)}</data>,
    },
    {
      id: "change",
      header: "Change",
      numeric: true,
      wide: true,
      sortValue: (row) => computeRowChange(row) ?? Number.MAX_SAFE_INTEGER,
      cell: (row) => {
        const change = computeRowChange(row);
        return <span className="text-muted">{change === null ? "new" : describeChange(change)}</span>;
      },
    },
  ];
}

const computeRowChange = ({ totals, previous_totals: before }: GroupRow) =>
  before && computeChange(parseCheckedAmount(totals.amount), parseCheckedAmount(before.amount));
