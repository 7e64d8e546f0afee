import type { ModelInfo, ModelPrice, Provider } from "@pydantic/genai-prices";
import type { ModelFamily } from "@/lib/contract/calls/model-families";
import { type PresetName, presetNames } from "@/lib/contract/calls/provider-presets";
import type { AudioPrice, ModelPriceDraft, UnitPrice } from "@/lib/contract/operations/models/models";
import { parseAmount } from "@/lib/money/amount";

/** The day on which version 0.1.8 of the packaged catalogue was published: its list prices are as of then. */
export const CATALOGUE_DATE = "2026-09-23";
/** The currency of all its prices. */
export const LIST_CURRENCY = "USD";

/** The list price of a model: by tokens or by the unit. */
export interface ListPrice {
  readonly price: ModelPriceDraft | null;
  readonly unit_price: UnitPrice | null;
  readonly audio_price: AudioPrice | null;
}

interface ListedModel extends ListPrice {
  /** The model's name in the catalogue, which is that of all its versions. */
  readonly id: string;
  readonly contextWindow: number | null;
}

/** Its names of services, where they differ from ours. */
const names: Partial<Record<PresetName, string>> = { bedrock: "aws", gemini: "google", xai: "x-ai" };

/** What is known of the models of one service. */
export interface ServiceCatalogue {
  /** @returns null for a model that it doesn't know, or knows without a price that it can have here. */
  find(model: string, family: ModelFamily): ListedModel | null;
}

const unknown: ServiceCatalogue = { find: () => null };

/**
 * The packaged catalogue of a service, by its preset, its address or its name. It takes 20 MB and 100 ms to load, so it
 * is loaded with the first question.
 */
export async function openServiceCatalogue(
  service: { readonly preset?: PresetName | undefined; readonly id?: string; readonly baseUrl: string },
  nowMs: number,
): Promise<ServiceCatalogue> {
  const { calcPrice, findProvider } = await import("@pydantic/genai-prices");
  const { preset, id, baseUrl } = service;
  const findPreset = (name: PresetName | undefined) =>
    name && findProvider({ providerId: names[name] ?? name });
  // A proxy of a service is usually named after it.
  const provider =
    findPreset(preset) ??
    findProvider({ providerApiUrl: baseUrl }) ??
    findPreset(presetNames.find((name) => name === id));
  if (!provider) return unknown;
  const findAt = (model: string, atMs: number) =>
    calcPrice({}, model, { provider, timestamp: new Date(atMs) });
  return {
    find(name, family) {
      const found = findAt(toCatalogueName(name), nowMs);
      if (!found) return null;
      const prices = hoursOf(found.model, nowMs).flatMap((atMs) => findAt(found.model.id, atMs) ?? found);
      const dearest = prices.reduce(
        (most, one) => (sumPrices(one.model_price) > sumPrices(most.model_price) ? one : most),
        found,
      );
      const price = toListPrice(dearest.model_price, family, provider);
      return price && { id: found.model.id, contextWindow: found.model.context_window ?? null, ...price };
    },
  };
}

/** A price, and the one above the step of long prompts. The catalogue has at most one such step. */
function readPart(value: ModelPrice[string]) {
  return typeof value === "object" ? { base: value.base, tier: value.tiers[0] } : { base: value };
}

/** Google's list names its models `models/gemini-2.5-pro`; Bedrock's profiles begin with a region: `eu.anthropic.…`. */
function toCatalogueName(name: string): string {
  return name.replace(/^models\//, "");
}

/** The hours of a price that differs by the hour. Prices here don't, so the dearest is taken. */
function hoursOf({ prices }: ModelInfo, nowMs: number): number[] {
  const variesByHour =
    Array.isArray(prices) && prices.some(({ constraint }) => constraint?.type === "time_of_date");
  return variesByHour ? Array.from({ length: 48 }, (_, half) => nowMs + half * 1_800_000) : [];
}

function sumPrices(price: ModelPrice): number {
  return Object.values(price).reduce<number>((sum, one) => sum + (readPart(one).base ?? 0), 0);
}

const inputFields = {
  cached_input_per_1m: "cache_read_mtok",
  cache_write_5m_per_1m: "cache_write_mtok",
  cache_write_1h_per_1m: "cache_write_1h_mtok",
} as const;

/** A price in our classes; null where it is in units that ours have none of. */
function toListPrice(prices: ModelPrice, family: ModelFamily, provider: Provider): ListPrice | null {
  const read = (key: string) => readPart(prices[key]);
  const base = (key: string) => writeDecimal(read(key).base);
  const input = base("input_mtok");
  if (input === null) {
    const perHour = read("audio_hours").base;
    if (family !== "transcription" || perHour === undefined) return null;
    const perMinute = writeDecimal(perHour / 60);
    return perMinute === null
      ? null
      : { price: null, audio_price: null, unit_price: { unit: "minute", amount: perMinute } };
  }
  if (!["chat", "embedding", "moderation", "transcription"].includes(family)) return null;
  const output = base("output_mtok");
  if (output === null && (family === "chat" || family === "transcription")) return null;
  const classes = Object.entries(inputFields).flatMap(([field, key]) => {
    const price = base(key);
    return price === null ? [] : [[field, price]];
  });
  const price: ModelPriceDraft = {
    input_per_1m: input,
    ...(output !== null && { output_per_1m: output }),
    ...Object.fromEntries(classes),
    ...readLongContext(read),
    ...readTools(prices, provider),
  };
  return {
    price: family === "chat" ? price : withoutChatFields(price),
    unit_price: null,
    audio_price: readAudio(base, output),
  };
}

/** The second price of long prompts. The catalogue has one such step for all classes of a model. */
function readLongContext(read: (key: string) => ReturnType<typeof readPart>): Partial<ModelPriceDraft> {
  const fields = { input_per_1m: "input_mtok", output_per_1m: "output_mtok", ...inputFields };
  const steps = Object.entries(fields).flatMap(([field, key]) => {
    const { tier } = read(key);
    const price = tier && writeDecimal(tier.price);
    return tier && price ? [{ field, price, start: tier.start }] : [];
  });
  const [first] = steps;
  if (!first) return {};
  const long_context = Object.fromEntries(steps.map(({ field, price }) => [field, price]));
  return { long_context_from: first.start, long_context };
}

/** Prices per 1,000 calls of the tools that the service runs. */
function readTools(prices: ModelPrice, { id }: Provider): Partial<ModelPriceDraft> {
  if (!["openai", "anthropic", "x-ai"].includes(id)) return {};
  const counted = { web_search: "web_searches_kcount", file_search: "storage_searches_kcount" };
  const tools = Object.entries(counted).flatMap(([tool, key]) => {
    const per1000 = prices[key];
    const price = typeof per1000 === "number" ? writeDecimal(per1000 / 1000) : null;
    return price === null ? [] : [[tool, price]];
  });
  return tools.length > 0 ? { tools: Object.fromEntries(tools) } : {};
}

/** Only chats have caches, long prompts and tools. */
function withoutChatFields({ input_per_1m, output_per_1m }: ModelPriceDraft): ModelPriceDraft {
  return { input_per_1m, ...(output_per_1m !== undefined && { output_per_1m }) };
}

function readAudio(base: (key: string) => string | null, output: string | null): AudioPrice | null {
  const heard = base("input_audio_mtok");
  return heard === null
    ? null
    : { input_per_1m: heard, output_per_1m: base("output_audio_mtok") ?? output ?? "0" };
}

/** A price as exact text; null for one that no price here can be. The catalogue's own are rounded to nine places. */
function writeDecimal(value: unknown): string | null {
  if (typeof value !== "number" || !(value >= 0 && value < 1_000_000)) return null;
  const text = value.toFixed(9).replace(/\.?0+$/, "");
  return parseAmount(text) === null ? null : text;
}
