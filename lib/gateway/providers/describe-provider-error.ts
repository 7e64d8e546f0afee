import { concealKey } from "./conceal-key";
import type { ProviderServer } from "./media-client";

const MAX_LENGTH = 500;
const CODE = /^[\w.-]{1,64}$/;

/** Whether what a provider sent as a code is one, and not a sentence. */
export function isProviderCode(code: unknown): code is string {
  return typeof code === "string" && CODE.test(code);
}

/** A provider's error as callers see it: a code only if it looks like one, and neither with the key. */
export function describeProviderError(
  { code, message }: { readonly code: unknown; readonly message: unknown },
  server: Pick<ProviderServer, "apiKey">,
): { code: string; message: string } {
  const words = typeof message === "string" && message !== "" ? message : "it gave no reason";
  return {
    code: isProviderCode(code) && concealKey(code, server) === code ? code : "provider_error",
    message: concealKey(words, server).slice(0, MAX_LENGTH),
  };
}
