import type { Effects } from "../ports/effects";
import type { Keyring } from "./keyring";
import type { ServiceAccountStore } from "./service-account-store";

/** What the verbs on service accounts work with. */
export interface ServiceAccountContext {
  readonly serviceAccounts: ServiceAccountStore;
  readonly keyring: Keyring;
  readonly effects: Effects;
}
