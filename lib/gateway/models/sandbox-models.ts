import type { UnitFamily } from "@/lib/contract/calls/model-families";
import type { ModelPrice, UnitPrice } from "@/lib/contract/operations/models/models";
import type { BuiltIn } from "../configuration/configuration";
import type { ModelEntry } from "./model-entry";
import { SANDBOX } from "./providers/provider-directory";

const echoPrice: ModelPrice = { input_per_1m: "1.00", output_per_1m: "2.00" };

/** The models of the offline sandbox. Their descriptions say that they are no AI. */
export const sandboxModels: readonly ModelEntry[] = [
  sandbox("sandbox-echo", "answers with the last user text, word by word."),
  sandbox("sandbox-chat", "writes longer Markdown with code.", {
    rate: "0.2",
    price: { input_per_1m: "2.50", output_per_1m: "10.00" },
  }),
  sandbox("sandbox-slow", "answers a word each 100 milliseconds."),
  sandbox("sandbox-cut", "breaks its stream off half-way."),
  sandbox("sandbox-429", "always refuses as a provider does that is over its limit."),
  sandbox("sandbox-500", "always fails as a provider does that is broken."),
  sandbox("sandbox-hang", "never answers."),
  sandbox("sandbox-embedding", "turns texts into vectors by their words.", {
    family: "embedding",
    price: { input_per_1m: "0.10", output_per_1m: "0.00" },
  }),
  sandbox("sandbox-moderation", "flags texts that name a category of harm, as in sandbox-violence.", {
    family: "moderation",
    price: { input_per_1m: "0.10", output_per_1m: "0.00" },
  }),
  byUnit("sandbox-image", "image", "makes a PNG of colors, the same for the same prompt.", {
    unit: "megapixel",
    amount: "0.04",
    qualities: { hd: "0.08" },
  }),
  byUnit("sandbox-video", "video", "makes a short film of colors, the same for the same prompt.", {
    unit: "second",
    amount: "0.05",
  }),
  byUnit("sandbox-music", "music", "makes a WAV of a simple tune, the same for the same prompt.", {
    unit: "second",
    amount: "0.01",
  }),
  byUnit("sandbox-speech", "speech", "speaks a text as tones, the same for the same text.", {
    unit: "character",
    amount: "0.00001",
  }),
  byUnit("sandbox-transcribe", "transcription", "writes down how long a recording is.", {
    unit: "minute",
    amount: "0.006",
  }),
];

function byUnit(id: string, family: UnitFamily, what: string, unit_price: UnitPrice): ModelEntry {
  const { price: _, ...entry } = sandbox(id, what);
  return { ...entry, family, unit_price };
}

function sandbox(
  id: string,
  what: string,
  overrides?: Partial<Pick<ModelEntry, "family" | "rate" | "price">>,
): ModelEntry {
  return {
    id,
    family: "chat",
    description: `Not an AI: ${what}`,
    rate: "0.5",
    price: echoPrice,
    max_output_tokens: 64_000,
    routes: [{ provider: SANDBOX, model: id }],
    ...overrides,
  };
}

/** The built-in provider and its models, which the configuration file may not redefine. */
export const builtIn: BuiltIn = { provider: SANDBOX, models: sandboxModels.map(({ id }) => id) };
