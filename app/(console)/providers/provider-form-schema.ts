import * as z from "zod/mini";
import { type OmittableField, omittableFields } from "@/lib/contract/calls/omittable-fields";
import { defaultTimeouts, limitSeconds, type ProviderTimeouts } from "@/lib/contract/calls/provider-timeouts";
import {
  outputLimitFields,
  type Provider,
  type ProviderChange,
  type ProviderDraft,
  providerDraft,
} from "@/lib/contract/operations/models/providers";

export type TimeoutName = keyof typeof defaultTimeouts;
export const timeoutNames = Object.keys(defaultTimeouts) as TimeoutName[];

/** A typed number of seconds, or nothing for the default. */
const typedSeconds = z.string().check(({ value, issues }) => {
  const text = value.trim();
  if (text === "") return;
  const message = /^\d+(\.\d+)?$/.test(text)
    ? limitSeconds.safeParse(Number(text)).error?.issues[0]?.message
    : "must be a number of seconds, or empty";
  if (message) issues.push({ code: "custom", input: value, message });
});

/** The choice of the output limit's name by the server's address. */
export const USUAL_LIMIT = "usual";

/** The settings of a provider's calls, by the API's names. */
export const providerSettings = z.strictObject({
  connect_seconds: typedSeconds,
  whole_answer_seconds: typedSeconds,
  first_event_seconds: typedSeconds,
  idle_seconds: typedSeconds,
  total_seconds: typedSeconds,
  output_limit_field: z.enum([USUAL_LIMIT, ...outputLimitFields]),
  refused_fields: z.array(z.enum(omittableFields)),
});
export type TypedSettings = z.output<typeof providerSettings>;

/** A provider's form, by the API's names. A missing key is "". */
export const providerForm = z.extend(providerSettings, {
  kind: providerDraft.shape.kind,
  id: providerDraft.shape.id,
  base_url: providerDraft.shape.base_url,
  api_key: z.string().check(z.regex(/^[!-~]*$/, "must be printable characters without spaces")),
});
export type ProviderFormValues = z.output<typeof providerForm>;

/** The settings of a provider for which nothing was set. */
export const usualSettings: TypedSettings = {
  connect_seconds: "",
  whole_answer_seconds: "",
  first_event_seconds: "",
  idle_seconds: "",
  total_seconds: "",
  output_limit_field: USUAL_LIMIT,
  refused_fields: [],
};

export function toTypedSettings({ timeouts, output_limit_field, refused_fields }: Provider): TypedSettings {
  const typed = { ...usualSettings, output_limit_field, refused_fields: [...refused_fields] };
  for (const name of timeoutNames) typed[name] = timeouts[name] === null ? "" : String(timeouts[name]);
  return typed;
}

export function toProviderDraft({
  kind,
  id,
  base_url,
  api_key,
  ...typed
}: ProviderFormValues): ProviderDraft {
  return { kind, id, base_url, ...(api_key && { api_key }), ...toProviderChange(typed) };
}

/** The typed settings in the API's form. An empty time limit is the default. */
export function toProviderChange(typed: Partial<TypedSettings>): ProviderChange {
  const { output_limit_field: limitField, refused_fields } = typed;
  const named = timeoutNames.flatMap((name) => {
    const text = typed[name];
    return text === undefined ? [] : [[name, text.trim() === "" ? null : Number(text)] as const];
  });
  const timeouts: ProviderTimeouts = Object.fromEntries(named);
  return {
    ...(named.length > 0 && { timeouts }),
    ...(limitField !== undefined && { output_limit_field: limitField === USUAL_LIMIT ? null : limitField }),
    ...(refused_fields !== undefined && { refused_fields }),
  };
}

/** What each field is for, and what a call does without it. */
export const refusableFields: Readonly<Record<OmittableField, string>> = {
  stream_options: "Asks for the usage at a stream’s end; without it, usage is estimated",
  user: "The user’s id, of messages in Anthropic’s form",
  top_k: "A sampling setting, of messages in Anthropic’s form",
  reasoning_effort: "How long to think, of messages in Anthropic’s form",
  encoding_format: "The form of embeddings; numbers are packed where base64 was asked for",
};
