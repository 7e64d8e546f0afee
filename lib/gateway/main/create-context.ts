import { ProviderLinks } from "../completions/provider-links";
import { usualProviderLimits } from "../models/provider-limits";
import { followedBy } from "../projects/project-book";
import { createSandboxClient } from "../providers/sandbox/sandbox-client";
import type { GatewayOptions } from "./gateway-options";
import type { State } from "./load-state";
import { openSignIn } from "./open-sign-in";
import type { Stores } from "./open-stores";

/** It has nothing to run out of. */
const sandboxLimits = { ...usualProviderLimits, maxConcurrentRequests: Number.POSITIVE_INFINITY };

/** What routes stand on: stores, what is in memory, and what reaches out of the process. */
export function createContext(options: GatewayOptions, stores: Stores, state: State) {
  const { effects, logFault, alertTarget } = options;
  const { clock } = effects;
  return {
    ...stores,
    ...state,
    ...openSignIn(options, stores),
    effects,
    logFault,
    projects: followedBy(state.projectBook, stores.projects),
    balance: state.admissions.balance,
    links: new ProviderLinks(createSandboxClient({ clock }), sandboxLimits, clock),
    isTold: alertTarget !== null,
  };
}
