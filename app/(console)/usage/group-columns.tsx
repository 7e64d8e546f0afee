import type { Column } from "@/components/ui/table/column";
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
import { groupingNames } from "@/components/usage/groupings";
import type { UsageDimension, UsageGroup, UsageSummary } from "@/lib/contract/operations/usage/usage-summary";
import { parseCheckedAmount } from "@/lib/money/amount";

/** A group, or all remaining groups together. */
export type GroupRow = Pick<UsageGroup, "totals" | "previous_totals" | "id"> & {
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
