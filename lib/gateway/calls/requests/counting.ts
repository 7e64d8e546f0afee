import type { PriceUnit } from "@/lib/contract/calls/model-families";
import type { ProviderKindName } from "@/lib/contract/calls/provider-kinds";
import type { CatalogueModel } from "../../models/catalogue";
import type { ProviderDirectory } from "../../models/providers/provider-directory";
import type { PromptEstimate } from "../../providers/prompt-size/estimate-prompt";
import type { AnswerKind } from "../../providers/provider-kind";
import { findAnswerKind } from "../../providers/provider-kinds";
import { type FeaturePrices, findFeaturePrices } from "./priced-features";

/** How a model's requests are counted. */
export interface Counting {
  /** The kinds of the providers that may answer, in the order of the model's routes. */
  readonly kinds: readonly ProviderKindName[];
  /** Whether one of them speaks Anthropic's messages, so that a message may be passed on as it is. */
  readonly speaksMessages: boolean;
  /** The maximum tokens of prompt and output; null where it is unknown. */
  readonly contextWindow: number | null;
  /** The unit of the model's price; null for a price by tokens. */
  readonly unit: PriceUnit | null;
  /** What the model has prices for beside its tokens; absent for nothing. */
  readonly features?: FeaturePrices;
}

export function findCounting(
  directory: Pick<ProviderDirectory, "find">,
  model: Pick<CatalogueModel, "routes" | "contextWindow" | "unitPrice" | "price">,
): Counting {
  const { routes, contextWindow, unitPrice, price } = model;
  const kinds: ProviderKindName[] = [];
  let speaksMessages = false;
  for (const { provider } of routes) {
    const { kind, protocols } = directory.find(provider) ?? {};
    if (kind && !kinds.includes(kind)) kinds.push(kind);
    speaksMessages ||= protocols?.includes("messages") ?? false;
  }
  const features = price?.classes && { features: findFeaturePrices(price.classes) };
  return { kinds, speaksMessages, contextWindow, unit: unitPrice?.unit ?? null, ...features };
}

/**
 * Estimates a prompt as the first of the kinds does. The bounds are those of the kinds that count most and least, since
 * any of them may answer.
 */
export function estimateForKinds(
  { kinds: [first = "openai", ...others] }: Counting,
  estimate: (kind: AnswerKind) => PromptEstimate,
): PromptEstimate {
  const size = estimate(findAnswerKind(first));
  if (others.length === 0) return size;
  const sizes = [size, ...others.map((kind) => estimate(findAnswerKind(kind)))];
  return {
    ...size,
    isTextAlone: sizes.every((one) => one.isTextAlone) ? true : undefined,
    maxPromptTokens: Math.max(...sizes.map(({ maxPromptTokens }) => maxPromptTokens)),
    minPromptTokens: Math.min(...sizes.map(({ minPromptTokens = 0 }) => minPromptTokens)),
  };
}
