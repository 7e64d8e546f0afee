import type { ChartColor, ChartValue } from "@/components/ui/chart/chart-series";
import { formatCount } from "@/components/ui/values/group-digits";
import { computeChange, formatRoundedDuration, formatShortMoney } from "@/components/ui/values/write-figures";
import type {
  UsageFigureName,
  UsageFigures,
  UsageOrder,
  UsageSummary,
} from "@/lib/contract/operations/usage/usage-summary";
import { NANO_PER_UNIT, parseCheckedAmount } from "@/lib/money/amount";

/** One line or layer of a metric that isn't broken down by group. */
interface Part {
  readonly id: string;
  readonly label: string;
  readonly color: ChartColor;
  readonly readValue: (figures: UsageFigures) => ChartValue;
  /** Omitted if it is zero at all times. */
  readonly isRare?: boolean;
}

export interface Metric {
  readonly label: string;
  /** A noun that can follow "The": `spend`. */
  readonly noun: string;
  /** The order for ranking groups. */
  readonly order: UsageOrder;
  /** True if the parts of a bucket add up. */
  readonly isSum: boolean;
  /** The figures that its values are made of. */
  readonly figures: readonly UsageFigureName[];
  /** The value of a group or of the total. */
  readonly whole: (figures: UsageFigures) => ChartValue;
  readonly parts: readonly Part[];
  /** Formats a tick of the axis. */
  readonly axis: (value: number) => string;
}

const count = (value: number): ChartValue => ({ height: value, text: formatCount(value) });
/** Draws a rounded height, but shows the exact decimal. */
const money = (amount: string): ChartValue => ({
  height: Number(parseCheckedAmount(amount)) / Number(NANO_PER_UNIT),
  text: formatShortMoney(amount),
});
const time = (ms: number | null): ChartValue => ({ height: ms, text: formatRoundedDuration(ms) });

const compact = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });
const decimal = new Intl.NumberFormat("en", { maximumSignificantDigits: 3 });
const countAxis = (value: number) => (Number.isInteger(value) ? compact.format(value) : "");

/** Cached tokens that can't be audio, so that the parts of a bucket add up: providers may count a token as both. */
const cachedText = ({ prompt_tokens, cached_tokens, input_audio_tokens }: UsageFigures) =>
  Math.min(cached_tokens, prompt_tokens - input_audio_tokens);

export const metrics = {
  spend: {
    label: "Spend",
    noun: "spend",
    order: "amount",
    isSum: true,
    figures: ["amount"],
    whole: ({ amount }) => money(amount),
    parts: [{ id: "amount", label: "Spend", color: "1", readValue: ({ amount }) => money(amount) }],
    axis: (value) => (value >= 1_000 ? compact.format(value) : decimal.format(value)),
  },
  requests: {
    label: "Requests",
    noun: "number of requests",
    order: "requests",
    isSum: true,
    figures: ["requests"],
    whole: ({ requests }) => count(requests),
    parts: [{ id: "requests", label: "Requests", color: "1", readValue: ({ requests }) => count(requests) }],
    axis: countAxis,
  },
  tokens: {
    label: "Tokens",
    noun: "number of tokens",
    order: "tokens",
    isSum: true,
    figures: [
      "prompt_tokens",
      "completion_tokens",
      "cached_tokens",
      "input_audio_tokens",
      "output_audio_tokens",
    ],
    whole: ({ prompt_tokens, completion_tokens }) => count(prompt_tokens + completion_tokens),
    parts: [
      {
        id: "input",
        label: "Input",
        color: "1",
        readValue: (figures) =>
          count(figures.prompt_tokens - figures.input_audio_tokens - cachedText(figures)),
      },
      {
        id: "cached",
        label: "Cached input",
        color: "4",
        isRare: true,
        readValue: (figures) => count(cachedText(figures)),
      },
      {
        id: "input-audio",
        label: "Audio input",
        color: "3",
        isRare: true,
        readValue: ({ input_audio_tokens }) => count(input_audio_tokens),
      },
      {
        id: "output",
        label: "Output",
        color: "2",
        readValue: ({ completion_tokens, output_audio_tokens }) =>
          count(completion_tokens - output_audio_tokens),
      },
      {
        id: "output-audio",
        label: "Audio output",
        color: "5",
        isRare: true,
        readValue: ({ output_audio_tokens }) => count(output_audio_tokens),
      },
    ],
    axis: countAxis,
  },
  failures: {
    label: "Errors and refusals",
    noun: "number of errors and refusals",
    order: "failures",
    isSum: true,
    figures: ["errors", "refusals"],
    whole: ({ errors, refusals }) => count(errors + refusals),
    parts: [
      { id: "errors", label: "Errors", color: "warning", readValue: ({ errors }) => count(errors) },
      { id: "refusals", label: "Refusals", color: "danger", readValue: ({ refusals }) => count(refusals) },
    ],
    axis: countAxis,
  },
  latency: {
    label: "Latency, p95",
    noun: "latency",
    order: "requests",
    isSum: false,
    figures: ["duration_p50_ms", "duration_p95_ms", "first_byte_p50_ms", "first_byte_p95_ms"],
    whole: ({ duration_p95_ms }) => time(duration_p95_ms),
    parts: [
      { id: "p95", label: "p95", color: "1", readValue: ({ duration_p95_ms }) => time(duration_p95_ms) },
      { id: "p50", label: "p50", color: "2", readValue: ({ duration_p50_ms }) => time(duration_p50_ms) },
      {
        id: "f95",
        label: "First byte p95",
        color: "4",
        readValue: ({ first_byte_p95_ms }) => time(first_byte_p95_ms),
      },
      {
        id: "f50",
        label: "First byte p50",
        color: "3",
        readValue: ({ first_byte_p50_ms }) => time(first_byte_p50_ms),
      },
    ],
    axis: (value) => (value === 0 ? "0" : formatRoundedDuration(value)),
  },
} as const satisfies Record<string, Metric>;

export type MetricName = keyof typeof metrics;
export const DEFAULT_METRIC: MetricName = "spend";

export function isMetric(name: string): name is MetricName {
  return Object.hasOwn(metrics, name);
}

export const sizes: Record<MetricName, (figures: UsageFigures) => bigint> = {
  spend: ({ amount }) => parseCheckedAmount(amount),
  requests: ({ requests }) => BigInt(requests),
  tokens: ({ prompt_tokens, completion_tokens }) => BigInt(prompt_tokens + completion_tokens),
  failures: ({ errors, refusals }) => BigInt(errors + refusals),
  latency: ({ duration_p95_ms }) => BigInt(duration_p95_ms ?? 0),
};

/**
 * Returns a metric's change since the previous period in thousandths; null if the previous value is zero or was not
 * read.
 */
export function compareMetric(
  name: MetricName,
  { totals, previous }: Pick<UsageSummary, "totals" | "previous">,
): number | null {
  return previous && computeChange(sizes[name](totals), sizes[name](previous.totals));
}
