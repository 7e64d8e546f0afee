import { concealKey } from "./conceal-key";
import type { ProviderServer } from "./provider-kind";

const MAX_LENGTH = 500;

/** A provider's error as callers see it: a code only if it looks like one, and a message without the provider's key. */
export function describeProviderError(
  { code, message }: { readonly code: unknown; readonly message: unknown },
  server: Pick<ProviderServer, "apiKey">,
): { code: string; message: string } {
  const isCode = typeof code === "string" && /^[\w.-]{1,64}$/.test(code);
  const words = typeof message === "string" && message !== "" ? message : "it gave no reason";
  return { code: isCode ? code : "provider_error", message: concealKey(words, server).slice(0, MAX_LENGTH) };
}
