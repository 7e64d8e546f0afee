import type { ModelFamily } from "@/lib/contract/model-families";
import { modelFamilies } from "@/lib/contract/model-families";
import type { RateLimitField, RateLimitValues } from "@/lib/contract/rate-limit-table";

export interface LimitField {
  readonly name: RateLimitField;
  readonly label: string;
  /** The head of its column, and the unit in it. */
  readonly column: string;
  readonly per: string;
  /** Beside the number in a form. */
  readonly unit: string;
  /** What it counts, in a sentence. */
  readonly meaning: string;
  /** Whether there can be no limit; requests and tokens per minute are always numbers. */
  readonly removable: boolean;
  /** The families of models it is counted for; elsewhere it is kept and has no effect. */
  readonly families: readonly ModelFamily[];
}

const tokenFamilies: readonly ModelFamily[] = ["chat", "embedding"];

/** The six limits, in the order of the API's object (specification, section 2.5). */
export const limitFields: readonly LimitField[] = [
  {
    name: "max_requests_per_1_minute",
    label: "Requests per minute",
    column: "Requests",
    per: "/ min",
    unit: "requests / min",
    meaning: "Calls let through in any 60 seconds.",
    removable: false,
    families: modelFamilies,
  },
  {
    name: "max_tokens_per_1_minute",
    label: "Tokens per minute",
    column: "Tokens",
    per: "/ min",
    unit: "tokens / min",
    meaning:
      "Prompt and output together in any 60 seconds: let in on an estimate, corrected to what was used.",
    removable: false,
    families: tokenFamilies,
  },
  {
    name: "max_images_per_1_minute",
    label: "Images per minute",
    column: "Images",
    per: "/ min",
    unit: "images / min",
    meaning: "Images made, or sent in chats, in any 60 seconds.",
    removable: true,
    families: ["chat", "image"],
  },
  {
    name: "max_audio_megabytes_per_1_minute",
    label: "Audio megabytes per minute",
    column: "Audio",
    per: "MB / min",
    unit: "MB / min",
    meaning: "Megabytes of audio taken in within any 60 seconds, in chats too. A begun megabyte counts.",
    removable: true,
    families: ["chat", "audio"],
  },
  {
    name: "max_requests_per_1_day",
    label: "Requests per day",
    column: "Requests",
    per: "/ day",
    unit: "requests / day",
    meaning: "Calls let through in any 24 hours.",
    removable: true,
    families: modelFamilies,
  },
  {
    name: "batch_1_day_max_input_tokens",
    label: "Batch input tokens per day",
    column: "Batch tokens",
    per: "/ day",
    unit: "tokens / day",
    meaning: "Prompt tokens of batches handed in within any 24 hours.",
    removable: true,
    families: tokenFamilies,
  },
];

export const limitLabels = Object.fromEntries(limitFields.map(({ name, label }) => [name, label])) as Record<
  RateLimitField,
  string
>;

/** Whether a limit is counted for a family. Where the family is not known, nothing is said to be without effect. */
export function hasEffect(field: LimitField, family: ModelFamily | null): boolean {
  return family === null || field.families.includes(family);
}

/** The six numbers of whatever holds them. */
export function limitsOf(limit: RateLimitValues): RateLimitValues {
  return pickLimits(
    limit,
    limitFields.map(({ name }) => name),
  ) as RateLimitValues;
}

/** Some of the six: what is sent when only these have changed. */
export function pickLimits(
  limits: RateLimitValues,
  names: readonly RateLimitField[],
): Partial<RateLimitValues> {
  return Object.fromEntries(names.map((name) => [name, limits[name]]));
}
