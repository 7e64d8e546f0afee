import { isObject } from "@/lib/contract/json-value";
import type { ChatCompletionRequest } from "@/lib/contract/operations/calls/completions";
import type { CacheLifetime, PriceClasses } from "@/lib/money/charge";
import type { AdmissionRequest } from "../../rate-limits/admissions";
import { refusedField, refuseUnpricedFields } from "./priced-fields";

/** What a model has prices for beside its tokens, of what a body may ask for. */
export interface FeaturePrices {
  readonly cacheWrites: boolean;
  readonly priority: boolean;
  /** The names of the tools that the provider runs. */
  readonly tools: readonly string[];
}

/** What a body asks for that has a price of its own. */
type PricedFeatures = Pick<AdmissionRequest, "cacheWrite" | "isPriority" | "toolCalls">;

/** So many calls of a tool are held for where the body sets no limit. */
const USUAL_TOOL_CALLS = 5;
/** The version that a provider writes behind the name of a tool, as in web_search_20250305. */
const VERSION = /_(?:20\d{6}|preview.*)$/;
/** Tools that the caller runs. */
const callersTools = new Set<unknown>([undefined, "function", "custom"]);
const isCallersTool = (type: unknown) => callersTools.has(type);

/** The name of a tool by which it has a price: `web_search` for `web_search_20250305`. */
export function toToolName(type: unknown): string {
  return String(type).replace(VERSION, "");
}

const NO_FEATURES: FeaturePrices = { cacheWrites: false, priority: false, tools: [] };

export function findFeaturePrices({ longContext, tools = {}, ...classes }: PriceClasses): FeaturePrices {
  const cacheWrites = [classes, longContext].some(
    (prices) => (prices?.cacheWrite5mPer1m ?? prices?.cacheWrite1hPer1m) !== undefined,
  );
  return { cacheWrites, priority: classes.priorityRate !== undefined, tools: Object.keys(tools) };
}

/**
 * What a body asks for beside tokens.
 * @throws Refusal 400 naming the field that asks for what the model has no price for.
 */
export function findPricedFeatures(
  { text, value }: { readonly text: string; readonly value: Readonly<Record<string, unknown>> },
  prices: FeaturePrices = NO_FEATURES,
  runsAtCaller: (type: unknown) => boolean = isCallersTool,
): PricedFeatures {
  const cacheWrite = prices.cacheWrites ? findCacheWrite(text) : undefined;
  const isPriority = value.service_tier === "priority";
  if (isPriority && !prices.priority)
    throw refusedField("service_tier", "it changes the provider's price, and the model has no priority rate");
  const toolCalls = findToolCalls(value, prices.tools, runsAtCaller);
  return {
    ...(cacheWrite && { cacheWrite }),
    ...(isPriority && { isPriority }),
    ...(toolCalls && { toolCalls }),
  };
}

/** Refuses what could make a call cost more than its price, of an order, which has no prices of features. */
export function refuseUnpricedOrder(order: ChatCompletionRequest): void {
  refuseUnpricedFields(order);
  findPricedFeatures({ text: "", value: order });
}

/**
 * The longest that a body may ask to cache a part of the prompt: by `cache_control` in any part of it, by OpenAI's
 * fields, or by a name that is spelled with escapes. Its words say no more than that more is held.
 */
function findCacheWrite(text: string): CacheLifetime | undefined {
  const isEscaped = text.includes("\\u00");
  if (!isEscaped && !text.includes("cache_control") && !text.includes("prompt_cache_")) return undefined;
  return isEscaped || text.includes('"1h"') ? "1h" : "5m";
}

/** The tools that the provider runs, with how often it may and at least does. */
function findToolCalls(
  { tools, web_search_options }: Readonly<Record<string, unknown>>,
  priced: readonly string[],
  runsAtCaller: (type: unknown) => boolean,
): AdmissionRequest["toolCalls"] {
  const calls: Record<string, { max: number; min: number }> = {};
  if (Array.isArray(tools)) {
    tools.forEach((tool: unknown, position) => {
      const { type, max_uses: most, input_schema } = isObject(tool) ? tool : {};
      if (runsAtCaller(type) || input_schema !== undefined) return;
      const name = toToolName(type);
      if (!priced.includes(name)) throw unpricedTool(`tools.${position}.type`);
      const max = Number.isInteger(most) && (most as number) > 0 ? (most as number) : USUAL_TOOL_CALLS;
      calls[name] = { max: Math.max(calls[name]?.max ?? 0, max), min: 0 };
    });
  }
  if ((web_search_options ?? null) !== null) {
    if (!priced.includes("web_search")) throw unpricedTool("web_search_options");
    // A model that is asked so searches once before each answer, and its provider reports no number.
    calls.web_search = { max: Math.max(calls.web_search?.max ?? 0, 1), min: 1 };
  }
  return Object.keys(calls).length > 0 ? calls : undefined;
}

function unpricedTool(field: string) {
  const why =
    "a tool that the provider runs costs more than the model's tokens, and the model has no price for it; send tools of type function or custom";
  return refusedField(field, why);
}
