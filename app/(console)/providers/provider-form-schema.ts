import * as z from "zod/mini";
import { presetNames } from "@/lib/contract/calls/provider-presets";
import { omittableFields, outputLimitFields, providerAuths } from "@/lib/contract/calls/provider-protocols";
import { limitSeconds } from "@/lib/contract/calls/provider-timeouts";
import { baseUrl, protocolList, providerDraft } from "@/lib/contract/operations/models/providers";
import { NO_PRESET, type ProviderFormValues, type TypedSettings, USUAL_LIMIT } from "./provider-form";

/** A typed number of seconds, or nothing for the default. */
const typedSeconds = z.string().check(({ value, issues }) => {
  const text = value.trim();
  if (text === "") return;
  const message = /^\d+(\.\d+)?$/.test(text)
    ? limitSeconds.safeParse(Number(text)).error?.issues[0]?.message
    : "must be a number of seconds, or empty";
  if (message) issues.push({ code: "custom", input: value, message });
});

/** A typed address, or nothing for the address of all other calls. */
const typedAddress = z.string().check(({ value, issues }) => {
  const message = value.trim() && baseUrl.safeParse(value.trim()).error?.issues[0]?.message;
  if (message) issues.push({ code: "custom", input: value, message });
});

/** The schema of `TypedSettings`. */
export const providerSettings = z.strictObject({
  protocols: protocolList,
  auth: z.enum(providerAuths),
  messages_base_url: typedAddress,
  connect_seconds: typedSeconds,
  whole_answer_seconds: typedSeconds,
  first_event_seconds: typedSeconds,
  idle_seconds: typedSeconds,
  total_seconds: typedSeconds,
  output_limit_field: z.enum([USUAL_LIMIT, ...outputLimitFields]),
  refused_fields: z.array(z.enum(omittableFields)),
}) satisfies z.ZodMiniType<TypedSettings>;

const typedKey = z.string().check(z.regex(/^[!-~]*$/, "must be printable characters without spaces"));

/** The schema of `ProviderFormValues`. */
export const providerForm = z.extend(providerSettings, {
  kind: providerDraft.shape.kind,
  preset: z.enum([NO_PRESET, ...presetNames]),
  id: providerDraft.shape.id,
  base_url: baseUrl,
  api_key: typedKey,
  more_keys: z.array(z.strictObject({ key: typedKey })),
}) satisfies z.ZodMiniType<ProviderFormValues>;
