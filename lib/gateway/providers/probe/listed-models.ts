import type { ModelFamily } from "@/lib/contract/calls/model-families";
import { isObject } from "@/lib/contract/json-value";
import { parseAmount } from "@/lib/money/amount";
import type { ServiceCatalogue } from "../../models/price-catalogue";

/** What a server's own list tells of a model. Only its name is always there. */
export interface ListedModel {
  readonly name: string;
  readonly family: ModelFamily;
  readonly contextWindow: number | null;
  readonly maxOutputTokens: number | null;
  readonly inputModalities: readonly string[] | null;
  /** Its price per token, as some servers tell it; null for others. */
  readonly perToken: PerTokenPrice | null;
  /** Why no call of it would be answered; null if calls can be. */
  readonly unusable: string | null;
}

/** Decimal strings, as OpenRouter tells them. */
interface PerTokenPrice {
  readonly prompt: string;
  readonly completion: string | null;
  readonly input_cache_read: string | null;
  readonly input_cache_write: string | null;
}

/** The most models of a list that are read. */
const MAX_MODELS = 2_000;
const MAX_NAME = 200;

/**
 * Reads a list of models in OpenAI's form, in Anthropic's, or as a bare list.
 * @param isSecret whether a text has the provider's key in it; such a name is left out.
 * @returns null for what is no list of models.
 */
export function readModelList(
  value: unknown,
  isSecret: (text: string) => boolean,
): { readonly models: ListedModel[]; readonly hasMore: boolean } | null {
  const list = Array.isArray(value) ? value : isObject(value) ? (value.data ?? value.models) : null;
  if (!Array.isArray(list)) return null;
  const byName = new Map<string, ListedModel>();
  for (const entry of list.slice(0, MAX_MODELS)) {
    if (!isObject(entry)) continue;
    const name = [entry.id, entry.name, entry.model].find((one) => typeof one === "string" && one !== "");
    if (!isName(name) || isSecret(name) || byName.has(name)) continue;
    byName.set(name, readModel(name, entry));
  }
  const isCut = list.length > MAX_MODELS || (isObject(value) && value.has_more === true);
  return { models: [...byName.values()], hasMore: isCut };
}

/** A route can name it. */
function isName(value: unknown): value is string {
  return typeof value === "string" && value.length <= MAX_NAME && /^[!-~]+(?: [!-~]+)*$/.test(value);
}

function readModel(name: string, entry: Record<string, unknown>): ListedModel {
  const parts = [entry, entry.architecture, entry.top_provider, entry.meta, entry.capabilities].filter(
    isObject,
  );
  const findCount = (fields: readonly string[]) => {
    for (const part of parts)
      for (const field of fields) {
        const count = part[field];
        if (typeof count === "number" && Number.isInteger(count) && count > 0 && count <= 10_000_000)
          return count;
      }
    return null;
  };
  const family = findFamily(name, entry, parts);
  return {
    name,
    family,
    contextWindow: findCount(windowFields),
    maxOutputTokens: findCount(outputFields),
    inputModalities: findModalities(parts),
    perToken: readPerToken(entry.pricing),
    unusable: findUnusable(name, entry),
  };
}

/** How servers name the window: OpenRouter, Groq, Mistral, vLLM, Anthropic, Google, llama.cpp. */
const windowFields = [
  "context_length",
  "context_window",
  "max_context_length",
  "max_model_len",
  "max_input_tokens",
  "inputTokenLimit",
  "n_ctx_train",
];
const outputFields = ["max_completion_tokens", "max_output_tokens", "max_tokens", "outputTokenLimit"];

function findModalities(parts: readonly Record<string, unknown>[]): readonly string[] | null {
  for (const { input_modalities: list, vision } of parts) {
    if (Array.isArray(list)) {
      const words = list.filter((one) => typeof one === "string" && /^[a-z]{1,16}$/.test(one));
      return words.length > 0 ? [...new Set<string>(words)].slice(0, 8) : null;
    }
    if (typeof vision === "boolean") return vision ? ["text", "image"] : ["text"];
  }
  return null;
}

function readPerToken(pricing: unknown): PerTokenPrice | null {
  if (!isObject(pricing)) return null;
  const read = (name: string) => {
    const price = pricing[name];
    return typeof price === "string" && /^\d{1,6}(\.\d{1,18})?$/.test(price) ? price : null;
  };
  const prompt = read("prompt");
  if (prompt === null) return null;
  const rest = { completion: read("completion"), input_cache_read: read("input_cache_read") };
  return { prompt, ...rest, input_cache_write: read("input_cache_write") };
}

/** A price per token as one per 1,000,000 tokens; null if it has more than nine decimals then. */
export function toPer1m(perToken: string | null): string | null {
  if (perToken === null) return null;
  const [units = "", fraction = ""] = perToken.split(".");
  const digits = fraction.padEnd(6, "0");
  const whole = `${units}${digits.slice(0, 6)}`.replace(/^0+(?=\d)/, "");
  const rest = digits.slice(6).replace(/0+$/, "");
  const text = rest === "" ? whole : `${whole}.${rest}`;
  return parseAmount(text) === null ? null : text;
}

/** What Together says of a model, and others in other words. */
const kindWords: Readonly<Record<string, ModelFamily>> = {
  chat: "chat",
  language: "chat",
  llm: "chat",
  vlm: "chat",
  embedding: "embedding",
  embeddings: "embedding",
  moderation: "moderation",
  image: "image",
  video: "video",
  audio: "speech",
  transcribe: "transcription",
};

/** How models are named whose list says nothing of their kind; the first that fits counts. */
const familyNames: readonly [RegExp, ModelFamily][] = [
  [/embed|(^|[/-])(bge|gte|e5|minilm)[-_]/i, "embedding"],
  [/moderation|guard/i, "moderation"],
  [/transcribe|whisper|(^|[/-])stt|scribe/i, "transcription"],
  [/(^|[-/_])tts([-_]|$)|kokoro|orpheus|playai/i, "speech"],
  [/(gpt|chatgpt)-image|dall-e|imagen|flux|stable-diffusion|sdxl|image-generation|(^|-)image(-|$)/i, "image"],
  [/(^|[/-])(sora|veo)-|video/i, "video"],
  [/lyria|music/i, "music"],
];

function findFamily(
  name: string,
  { type }: Record<string, unknown>,
  parts: readonly Record<string, unknown>[],
): ModelFamily {
  const said = typeof type === "string" && Object.hasOwn(kindWords, type) ? kindWords[type] : undefined;
  if (said) return said;
  const outputs = parts.find(({ output_modalities: list }) => Array.isArray(list))?.output_modalities;
  if (Array.isArray(outputs)) {
    if (outputs.includes("text")) return "chat";
    const made = outputs.flatMap((one) => (typeof one === "string" ? (kindWords[one] ?? []) : []));
    if (made[0]) return made[0];
  }
  return familyNames.find(([pattern]) => pattern.test(name))?.[1] ?? "chat";
}

/** Models of APIs that are not served here, by their names. */
const unusableNames: readonly [RegExp, string][] = [
  [/realtime|(^|-)live(-|$)|native-audio|sonic/i, "needs the Realtime API, which is not served here"],
  [
    /^(text-)?(babbage|davinci|curie|ada)(-|$)|^gpt-3\.5-turbo-instruct/i,
    "needs the legacy Completions API, which is not served here",
  ],
  [
    /deep-research|(^|[/-])o\d-pro|gpt-5(\.\d)?-pro|computer-use|codex-mini/i,
    "needs the Responses API, in which no call is sent yet",
  ],
  [/rerank/i, "needs a Rerank API, which is not served here"],
];

function findUnusable(name: string, { type }: Record<string, unknown>): string | null {
  if (type === "rerank") return "needs a Rerank API, which is not served here";
  return unusableNames.find(([pattern]) => pattern.test(name))?.[1] ?? null;
}

/**
 * The model that a test calls: one that calls are sent to already, else the cheapest chat model of the list, by its
 * price of output; null where the list has none.
 */
export function chooseTestModel(
  listed: readonly ListedModel[],
  routed: readonly string[],
  service: ServiceCatalogue,
): string | null {
  const chats = listed.filter(({ family, unusable }) => family === "chat" && unusable === null);
  const isListed = (name: string) => chats.some((model) => model.name === name);
  const used = routed.find(isListed) ?? routed[0];
  if (used !== undefined) return used;
  const priced = chats.flatMap(({ name, family }) => {
    const output = service.find(name, family)?.price?.output_per_1m;
    return output === undefined ? [] : [{ name, cost: Number(output) }];
  });
  const [first] = priced;
  const cheapest = first && priced.reduce((least, one) => (one.cost < least.cost ? one : least), first);
  return cheapest?.name ?? chats[0]?.name ?? null;
}
