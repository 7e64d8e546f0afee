import * as z from "zod/mini";
import { type ProviderDraft, providerDraft } from "@/lib/contract/operations/models/providers";

/** A provider's form, by the API's names. A missing key is "". */
export const providerForm = z.strictObject({
  kind: providerDraft.shape.kind,
  id: providerDraft.shape.id,
  base_url: providerDraft.shape.base_url,
  api_key: z.string().check(z.regex(/^[!-~]*$/, "must be printable characters without spaces")),
});
export type ProviderFormValues = z.output<typeof providerForm>;

export function toProviderDraft({ api_key, ...provider }: ProviderFormValues): ProviderDraft {
  return { ...provider, ...(api_key && { api_key }) };
}
