import { invalid } from "../../refusal";
import { type CallbackTarget, CallbackTargetFault, readCallbackTarget } from "./callback-target";

/** Parses the field `callback_url`. @throws Refusal 400 for an address that callbacks may not go to. */
export function readCallbackUrl(address: string, trustedHosts: readonly string[]): CallbackTarget {
  try {
    return readCallbackTarget(address, trustedHosts);
  } catch (error) {
    if (!(error instanceof CallbackTargetFault)) throw error;
    throw invalid("callback_url", `callback_url ${error.message}`);
  }
}
