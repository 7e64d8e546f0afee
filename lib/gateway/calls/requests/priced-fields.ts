import { isObject } from "@/lib/contract/json-value";
import type { ChatCompletionRequest } from "@/lib/contract/operations/calls/completions";
import type { CacheLifetime, PriceClasses } from "@/lib/money/charge";
import { type JsonObject, scanObject, spliceObject } from "../../http/json";
import type { AdmissionRequest } from "../../rate-limits/admissions";
import { invalid, type Refusal } from "../../refusal";

/** No name in the table is longer. */
const MAX_NAME_LENGTH = 64;

/** The effect of a field on a call's price. Null always passes. */
type Rule =
  /** The gateway prices or routes by the field, so it must occur once, at the top level, in this spelling. */
  | { readonly kind: "own"; readonly path: string }
  /** The field is another name of the output limit, which must be given by one of the gateway's own names. */
  | { readonly kind: "output" }
  /** The field is a number of tokens that are part of the output, and so at most its limit. */
  | { readonly kind: "within"; readonly needsLimit: boolean }
  /** The field raises the cost of a call unless it has one of these values. */
  | { readonly kind: "only"; readonly values: readonly unknown[]; readonly why: string }
  /** The same for any other field than this one at the top level, which `findPricedFeatures` prices or refuses. */
  | { readonly kind: "feature"; readonly path: string; readonly value?: string; readonly otherwise: Rule };

const only = (why: string, ...values: readonly unknown[]): Rule => ({ kind: "only", values, why });
const output: Rule = { kind: "output" };
/** The least output would be written however little is held for, a budget of it would not. */
const least: Rule = { kind: "within", needsLimit: true };
const budget: Rule = { kind: "within", needsLimit: false };

const answers = "it makes a provider write more than one answer; send n instead";
const reference = "it refers to a prompt whose size the gateway can't know; send the messages themselves";
const otherModel = "it leads the call to a model other than the one that is priced; send model alone";
const search = "it makes the provider search, which no price of the model covers";

/**
 * All fields known to change the cost of a call, of the servers that speak OpenAI's protocol: OpenAI, Azure, Ollama,
 * llama.cpp, vLLM, SGLang, TGI, LiteLLM, OpenRouter, Gemini, Mistral, xAI and Together. Keys are as
 * `normalizeName` returns them, so that `maxOutputTokens` matches `max_output_tokens`. Other fields pass unchanged.
 */
const rules = new Map<string, Rule>([
  ...joinWords(
    "model messages prompt stream stream_options n max_tokens max_completion_tokens callback_url",
  ).map(own),
  ["includeusage", { kind: "own", path: "stream_options.include_usage" }],
  ["maxoutputtokens", output],
  ["maxnewtokens", output],
  ["maxgeneratedtokens", output],
  ["maxgenlen", output],
  ["maxlength", output],
  ["maxlen", output],
  ["maxtotaltokens", output],
  ["maxdecodetokens", output],
  ["maxtokenstosample", output],
  ["maxtokenspermessage", output],
  ["maxanswertokens", output],
  ["maxresponsetokens", output],
  ["outputtokenlimit", output],
  ["numpredict", output],
  ["npredict", output],
  ["tokenstogenerate", output],
  ["mintokens", least],
  ["minnewtokens", least],
  ["minlength", least],
  ["budgettokens", budget],
  ["thinkingbudget", budget],
  ["reasoningbudget", budget],
  ["bestof", only(answers, 0, 1)],
  ["candidatecount", only(answers, 1)],
  ["numreturnsequences", only(answers, 1)],
  ["numcompletions", only(answers, 1)],
  ["numgenerations", only(answers, 1)],
  ["numsamples", only(answers, 1)],
  ["nchoices", only(answers, 1)],
  ["ncmpl", only(answers, 1)],
  ["usebeamsearch", only(answers, false)],
  ["numbeams", only(answers, 1)],
  ["beamwidth", only(answers, 1)],
  [
    "servicetier",
    {
      kind: "feature",
      path: "service_tier",
      value: "priority",
      otherwise: only(
        "it changes the provider's price",
        "auto",
        "default",
        "flex",
        "standard",
        "standard_only",
        "on_demand",
      ),
    },
  ],
  ["inputfidelity", only("it raises the provider's price", "low")],
  ["speed", only("it changes the provider's price", "standard")],
  ["websearchoptions", { kind: "feature", path: "web_search_options", otherwise: only(search) }],
  ["websearch", only(search, false)],
  ["enablesearch", only(search, false)],
  ["searchparameters", only(search)],
  ["plugins", only(search)],
  ["prediction", only("the tokens of it that are rejected are invoiced as output")],
  ["previousresponseid", only(reference)],
  ["conversation", only(reference)],
  ["conversationid", only(reference)],
  ["threadid", only(reference)],
  ["cachedcontent", only(reference)],
  ["fileids", only(reference)],
  ["chattemplate", only("it lets a provider write a longer prompt than was sent")],
  ["models", only(otherModel)],
  ["fallbacks", only(otherModel)],
  ["fallbackmodels", only(otherModel)],
]);

function joinWords(names: string): string[] {
  return names.split(" ");
}

function own(name: string): [string, Rule] {
  return [normalizeName(name), { kind: "own", path: name }];
}

/** Fields whose content is data or a schema, where these names have other meanings. */
const opaque = new Set(
  joinWords(
    "messages tools functions tool_choice function_call metadata logit_bias response_format json_schema guided_json structured_outputs format grammar",
  ).map(normalizeName),
);

/** Common fields in their exact spelling: they are checked elsewhere, or don't affect the price. */
const plain = new Set(
  joinWords(
    "model messages prompt stream n max_tokens max_completion_tokens callback_url temperature top_p stop seed user tools tool_choice response_format metadata",
  ),
);

/**
 * Refuses every field that could make a call cost more than its hold: a second output limit in any spelling or depth,
 * several answers, a more expensive tier, a provider's search.
 * @throws Refusal 400 naming the field.
 */
export function refuseUnpricedFields(value: ChatCompletionRequest): void {
  const { max_tokens, max_completion_tokens } = value;
  if (
    typeof max_tokens === "number" &&
    typeof max_completion_tokens === "number" &&
    max_tokens !== max_completion_tokens
  ) {
    const message =
      "max_completion_tokens and max_tokens are two names of the most output and say different numbers; send one of them.";
    throw invalid("max_completion_tokens", message);
  }
  for (const key in value) {
    if (plain.has(key)) continue;
    refuseField(key, value[key], { path: key, max: max_completion_tokens ?? max_tokens ?? null });
  }
}

interface Place {
  readonly path: string;
  /** The caller's output limit; null without one. */
  readonly max: number | null;
}

function refuseField(key: string, value: unknown, place: Place): void {
  const { rule, isOpaque } = findReading(key);
  if (rule && value !== null) refuseByRule(rule, value, place);
  if (!isOpaque) refuseInside(value, place);
}

/** The cached meaning of a name, since callers keep sending the same few names. A full cache is cleared. */
interface Reading {
  readonly rule: Rule | undefined;
  readonly isOpaque: boolean;
}

const MAX_CACHED_READINGS = 1_000;
const readings = new Map<string, Reading>();

function findReading(name: string): Reading {
  const cached = readings.get(name);
  if (cached) return cached;
  const spelling = normalizeName(name);
  const reading = { rule: rules.get(spelling), isOpaque: opaque.has(spelling) };
  if (readings.size >= MAX_CACHED_READINGS) readings.clear();
  if (name.length <= MAX_NAME_LENGTH) readings.set(name, reading);
  return reading;
}

function refuseInside(value: unknown, { path, max }: Place): void {
  if (typeof value !== "object" || value === null) return;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++)
      refuseInside(value[index], { path: `${path}.${index}`, max });
    return;
  }
  for (const [key, inner] of Object.entries(value)) refuseField(key, inner, { path: `${path}.${key}`, max });
}

function refuseByRule(rule: Rule, value: unknown, { path, max }: Place): void {
  switch (rule.kind) {
    case "own":
      if (path === rule.path) return;
      throw refusedField(path, `some providers read it as ${rule.path}; send ${rule.path} alone`);
    case "output":
      throw refusedField(path, "it is another name of the most output; send max_completion_tokens instead");
    case "within":
      if (typeof value === "number" && value <= (max ?? (rule.needsLimit ? 0 : value))) return;
      throw refusedField(
        path,
        "it is part of the output; send it with a max_completion_tokens that is at least as much",
      );
    case "feature":
      if (path === rule.path && value === (rule.value ?? value)) return;
      refuseByRule(rule.otherwise, value, { path, max });
      return;
    case "only":
      if (rule.values.includes(value)) return;
      throw refusedField(path, rule.why);
  }
}

function refusedField(path: string, why: string) {
  const field = path.length > 100 ? `${path.slice(0, 100)}…` : path;
  return invalid(field, `${field} can't be sent: ${why}.`, "unpriced_field");
}

/**
 * The letters and digits of a name in lower case. Servers accept names in any case, with or without `_` and `-`, and
 * some treat `ſ` as `s` and the Kelvin sign as `k`.
 */
export function normalizeName(name: string): string {
  if (name.length > MAX_NAME_LENGTH) return name;
  return name
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "");
}

/** Features that a body may ask for and the model has a price for, besides tokens. */
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
export const isCallersTool = (type: unknown) => callersTools.has(type);

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

/** Refuses features in an order that could make it cost more than its price: orders have no prices for features. */
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

export function unpricedTool(field: string): Refusal {
  const why =
    "a tool that the provider runs costs more than the model's tokens, and the model has no price for it; send tools of type function or custom";
  return refusedField(field, why);
}

type Fields = Readonly<Record<string, unknown>>;

/** Which tools may be sent, and how others are refused that a call can't do without. */
interface ToolRules {
  /** The names of those that the model has a price for. */
  readonly priced: readonly string[] | undefined;
  /** Whether others are refused in any case. */
  readonly refusesAll: boolean | undefined;
  runsAtCaller(type: unknown): boolean;
  /** @param position of the tool in `tools`. */
  refuse(tool: Fields, position: number): Refusal;
}

/**
 * A request without the tools that its provider would run and the model has no price for, and their types.
 * @throws Refusal 400 where one of them is forced, or no other tool is there.
 */
export function leaveOutUnpricedTools<Body extends Pick<JsonObject, "text" | "scanned"> & { value: object }>(
  body: Body,
  { priced = [], refusesAll, runsAtCaller, refuse }: ToolRules,
): { readonly body: Body; readonly types: readonly string[] } {
  const { tools, tool_choice: choice } = body.value as Fields;
  if (!Array.isArray(tools)) return { body, types: [] };
  const isUnpriced = (tool: unknown): tool is Fields =>
    isObject(tool) &&
    tool.input_schema === undefined &&
    !runsAtCaller(tool.type) &&
    !priced.includes(toToolName(tool.type));
  const unpriced = tools.filter(isUnpriced);
  const [first] = unpriced;
  if (!first) return { body, types: [] };
  const types = [...new Set(unpriced.map(({ type }) => String(type)))];
  if (refusesAll) throw hostedToolRefused(`tools.${tools.indexOf(first)}`, types);
  const forced = unpriced.find((tool) => isForced(tool, choice));
  if (forced) throw refuse(forced, tools.indexOf(forced));
  if (unpriced.length === tools.length) throw refuse(first, 0);
  const kept = tools.filter((tool) => !isUnpriced(tool));
  const text = spliceObject(body.text, body.scanned, new Map([["tools", JSON.stringify(kept)]]));
  const without = { ...body, text, scanned: scanObject(text), value: { ...body.value, tools: kept } };
  return { body: without, types };
}

/** Of a project that refuses calls with such tools. */
export function hostedToolRefused(field: string, types: readonly string[]): Refusal {
  const named = types.map((type) => `"${type.slice(0, 60)}"`).join(", ");
  const message = `This project refuses tools that the provider would run and the model has no price for: ${named}. Leave them out, or let the project leave them out of its calls.`;
  return invalid(field, message, "unsupported_tool");
}

/** Whether a choice names this tool: by its type, or as messages do by its name. */
function isForced({ type, name }: Fields, choice: unknown): boolean {
  if (!isObject(choice)) return false;
  return choice.type === type || (choice.type === "tool" && name !== undefined && choice.name === name);
}

/** How left-out tools stand among all that was left out. */
export const nameTools = (types: readonly string[]) => types.map((type) => `tools.${type}`);
