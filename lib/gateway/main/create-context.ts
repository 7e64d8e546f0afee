import { ProviderLinks } from "../completions/provider-links";
import type { GatewayOptions } from "./gateway-options";
import type { State } from "./load-state";
import { openSignIn } from "./open-sign-in";
import type { Stores } from "./open-stores";

/** What routes stand on: stores, what is in memory, and what reaches out of the process. */
export function createContext(options: GatewayOptions, stores: Stores, state: State) {
  const { effects, logFault, alertTarget } = options;
  const { clock } = effects;
  return {
    ...stores,
    ...state,
    ...openSignIn(options, stores, state),
    effects,
    logFault,
    links: new ProviderLinks(clock),
    isTold: alertTarget !== null,
  };
}
