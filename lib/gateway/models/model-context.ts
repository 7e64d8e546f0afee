import type { RateLimitValues } from "@/lib/contract/rate-limit-table";
import type { Effects } from "../ports/effects";
import type { OneAtATime } from "../ports/one-at-a-time";
import type { Catalogue } from "./catalogue";
import type { ModelStore } from "./model-store";
import type { ProviderDirectory } from "./provider-directory";
import type { ProviderStore } from "./provider-store";

/** What the verbs on models and providers work with. */
export interface ModelContext {
  readonly catalogue: Catalogue;
  readonly models: ModelStore;
  readonly directory: ProviderDirectory;
  readonly providers: ProviderStore;
  /** The rate limits a new model starts with. */
  readonly defaultRateLimits: RateLimitValues;
  /** Changes of models and providers rely on one another: a route needs its provider. */
  readonly inTurn: OneAtATime;
  readonly effects: Effects;
}
