import { DAY_MS, MINUTE_MS } from "../durations";
import { type ModelFamily, modelFamilies, tokenFamilies } from "./model-families";

/** The rolling windows of limits. */
export const limitWindows = {
  minute: { ms: MINUTE_MS, per: "min", words: "in any minute" },
  day: { ms: DAY_MS, per: "day", words: "in any 24 hours" },
} as const;
export type LimitWindow = keyof typeof limitWindows;

/** Contents of a prompt besides text, in whole numbers. Megabytes are rounded up. */
export const carriedMeasures = ["images", "audioMegabytes"] as const;
export type CarriedMeasure = (typeof carriedMeasures)[number];

/**
 * What limits count of a call, in whole numbers. `tokens` are estimated at admission and corrected afterwards; the
 * others are known at admission.
 */
export type Measure = "requests" | "tokens" | "batchInputTokens" | CarriedMeasure;

interface Row {
  readonly counts: Measure;
  readonly window: LimitWindow;
  /** The model families that it applies to. For other models it is stored without effect. */
  readonly families: readonly ModelFamily[];
  readonly words: {
    readonly label: string;
    /** The heading of its column, before the window. */
    readonly column: string;
    readonly columnUnit?: string;
    /** The unit beside a number. */
    readonly unit: string;
    /** The counted amount, as refusals call it. */
    readonly amount: string;
    /** The counted amount, in a sentence. */
    readonly meaning: string;
  };
}

/** A limit that always has a number. The headers `x-ratelimit-…-<header>` can report it. */
interface FixedRow extends Row {
  readonly removable: false;
  readonly default: number;
  readonly header?: string;
}

/** A limit that can be removed, which is null. */
interface RemovableRow extends Row {
  readonly removable: true;
  readonly default: number | null;
}

/**
 * The limits of a project and model, in the order of the API's object. Schemas, windows, demand, headers, refusals,
 * defaults, the console's form and list, and `doctor` are made from this table. Its fields are the store's columns.
 */
export const rateLimitTable = {
  max_requests_per_1_minute: {
    counts: "requests",
    window: "minute",
    families: modelFamilies,
    removable: false,
    default: 600,
    header: "requests",
    words: {
      label: "Requests per minute",
      column: "Requests",
      unit: "requests",
      amount: "requests",
      meaning: "Calls allowed in any 60 seconds.",
    },
  },
  max_tokens_per_1_minute: {
    counts: "tokens",
    window: "minute",
    families: [...tokenFamilies, "transcription"],
    removable: false,
    default: 1_000_000,
    header: "tokens",
    words: {
      label: "Tokens per minute",
      column: "Tokens",
      unit: "tokens",
      amount: "tokens",
      meaning:
        "Prompt and output tokens in any 60 seconds: estimated when a call starts, corrected when it ends.",
    },
  },
  max_images_per_1_minute: {
    counts: "images",
    window: "minute",
    families: ["chat", "image"],
    removable: true,
    default: null,
    words: {
      label: "Images per minute",
      column: "Images",
      unit: "images",
      amount: "images",
      meaning: "Images generated, or sent in chats, in any 60 seconds.",
    },
  },
  max_audio_megabytes_per_1_minute: {
    counts: "audioMegabytes",
    window: "minute",
    families: ["chat", "transcription"],
    removable: true,
    default: null,
    words: {
      label: "Audio megabytes per minute",
      column: "Audio",
      columnUnit: "MB",
      unit: "MB",
      amount: "megabytes of audio",
      meaning: "Megabytes of audio sent in any 60 seconds, in chats too, rounded up to whole megabytes.",
    },
  },
  max_requests_per_1_day: {
    counts: "requests",
    window: "day",
    families: modelFamilies,
    removable: true,
    default: null,
    words: {
      label: "Requests per day",
      column: "Requests",
      unit: "requests",
      amount: "requests",
      meaning: "Calls allowed in any 24 hours.",
    },
  },
  batch_1_day_max_input_tokens: {
    counts: "batchInputTokens",
    window: "day",
    families: tokenFamilies,
    removable: true,
    default: null,
    words: {
      label: "Batch input tokens per day",
      column: "Batch tokens",
      unit: "tokens",
      amount: "batch input tokens",
      meaning: "Prompt tokens of the batches created in any 24 hours.",
    },
  },
} as const satisfies Readonly<Record<string, FixedRow | RemovableRow>>;

export type RateLimitField = keyof typeof rateLimitTable;

/** The limits that always have a number. */
export type FixedLimitField = {
  [Field in RateLimitField]: (typeof rateLimitTable)[Field]["removable"] extends false ? Field : never;
}[RateLimitField];

/** The limits as numbers; null for no limit. */
export type RateLimitValues = {
  [Field in RateLimitField]: Field extends FixedLimitField ? number : number | null;
};

/** The limits in the headers `x-ratelimit-…`. */
export type HeaderLimit = {
  [Field in RateLimitField]: (typeof rateLimitTable)[Field] extends { readonly header: infer Header }
    ? Header
    : never;
}[RateLimitField] &
  string;

/** A row of the table with its name. */
export type RateLimitRow = (FixedRow | RemovableRow) & { readonly field: RateLimitField };

export const rateLimitFields = Object.keys(rateLimitTable) as RateLimitField[];

export const rateLimitRows: readonly RateLimitRow[] = rateLimitFields.map((field) => ({
  field,
  ...rateLimitTable[field],
}));

/** The longest window of any limit. */
export const MAX_WINDOW_MS = Math.max(...rateLimitRows.map(({ window }) => limitWindows[window].ms));

export const rateLimitHeaderFields = Object.fromEntries(
  rateLimitRows.flatMap((row) => (row.removable || !row.header ? [] : [[row.header, row.field]])),
) as Readonly<Record<HeaderLimit, FixedLimitField>>;

/** One value for each limit. */
export function mapLimits<Value>(describeRow: (row: RateLimitRow) => Value): Record<RateLimitField, Value> {
  // Made for each pair of project and model that is in use, so without the arrays of `Object.fromEntries`.
  const values = {} as Record<RateLimitField, Value>;
  for (const row of rateLimitRows) values[row.field] = describeRow(row);
  return values;
}

/** The amount and the window of a limit, to follow a number: "requests in any minute". */
export function describeLimit(field: RateLimitField): string {
  const { words, window } = rateLimitTable[field];
  return `${words.amount} ${limitWindows[window].words}`;
}

/** The defaults if neither the model nor the configuration sets a limit. */
export const builtInRateLimits = mapLimits((row) => row.default) as RateLimitValues;

/** From this share of a limit on, it counts as nearly used up. */
export const NEAR_SHARE = 0.8;

/** A limit, and what the last day has used of it. */
interface UsedLimit {
  /** Null: none. */
  readonly max: number | null;
  readonly peak: number;
  readonly refusals: number;
}

/**
 * Whether a limit refused calls or was nearly used up. A limit of 0 lets nothing through on purpose, so it is never
 * near.
 */
export function isNearLimit({ max, peak, refusals }: UsedLimit): boolean {
  return refusals > 0 || (max !== null && max > 0 && peak >= NEAR_SHARE * max);
}

/** Any of the limits; "default" lets one follow the default again. */
type Edit = { readonly [Field in RateLimitField]?: number | null | "default" | undefined };

/** The limits that are set by hand once these fields are. */
export function editLimits(own: Partial<RateLimitValues>, edit: Edit): Partial<RateLimitValues> {
  const edited: Record<string, unknown> = { ...own, ...edit };
  for (const field of rateLimitFields)
    if (edited[field] === "default" || edited[field] === undefined) delete edited[field];
  return edited;
}

/** The id of the defaults that hold for every model without one of its own. */
export const ORGANIZATION_DEFAULTS = "organization";
