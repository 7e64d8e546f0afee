import type { RateLimitValues } from "@/lib/contract/calls/rate-limit-table";
import type { ChangeContext } from "../changes/change";
import type { Effects } from "../effects";
import type { Catalogue } from "./catalogue";
import type { ModelStore } from "./model-store";
import type { ProviderDirectory } from "./providers/provider-directory";
import type { ProviderStore } from "./providers/provider-store";

/** The dependencies of the verbs on models and providers. */
export interface ModelContext extends ChangeContext {
  readonly catalogue: Catalogue;
  readonly models: ModelStore;
  readonly directory: ProviderDirectory;
  readonly providers: ProviderStore;
  /** The rate limits a new model starts with. */
  readonly defaultRateLimits: RateLimitValues;
  readonly effects: Effects;
}
