import * as z from "zod/mini";
import { mediaFamilies } from "../../calls/model-families";
import { findPreset, type PresetName, presetNames } from "../../calls/provider-presets";
import {
  hostedKinds,
  isCallable,
  MAX_KEYS,
  omittableFields,
  outputLimitFields,
  providerAuths,
  providerKindNames,
  providerProtocols,
} from "../../calls/provider-protocols";
import { providerTimeouts } from "../../calls/provider-timeouts";
import { defineOperations } from "../../operation";
import { pageSchema, searchedPageQuery } from "../../schema";
import { markUnversioned, withVersion } from "../../version";

const provider = withVersion(
  z.object({
    object: z.literal("organization.provider"),
    id: z.string(),
    kind: z.enum(providerKindNames),
    base_url: z.nullable(z.string()),
    has_api_key: z.boolean(),
    /** Its keys, among which calls are shared. `hint` is "…" and the last four characters. */
    api_keys: z.array(z.object({ id: z.string(), hint: z.string() })),
    /** The keys that get no calls of a model for a while, and the status that the provider answered. */
    resting_api_keys: markUnversioned(
      z.array(z.object({ id: z.string(), model: z.string(), until: z.int(), status: z.int() })),
    ),
    /** The protocols that its server speaks. A call whose protocol is none of them is translated to the first. */
    protocols: z.array(z.enum(providerProtocols)),
    /** How its server is shown the key. */
    auth: z.enum(providerAuths),
    /** The base address of messages, where it isn't `base_url`. */
    messages_base_url: z.nullable(z.string()),
    output_limit_field: z.enum(outputLimitFields),
    timeouts: z.required(providerTimeouts),
    refused_fields: z.array(z.enum(omittableFields)),
    /** Fields that the server has refused since the gateway's start: calls go without them, or with the other name. */
    found_refused_fields: markUnversioned(z.array(z.string())),
    source: z.enum(["built_in", "config", "database"]),
    /** The task API of a provider of the kind `http`, which the configuration file maps; null for others. */
    task_api: z.nullable(
      z.object({
        makes: z.array(z.enum(mediaFamilies)),
        /** Method and path of each request below the base address; null if the API has none. */
        submit: z.string(),
        poll: z.nullable(z.string()),
        cancel: z.nullable(z.string()),
        poll_seconds: z.nullable(z.number()),
        /** Whether an order whose answer was lost is sent again under its idempotency key. */
        repeats_lost_orders: z.boolean(),
      }),
    ),
    /**
     * The models whose last call failed because of the provider's configuration, since the gateway's start: 401 and 403
     * reject the key, 404 means an unknown model, 402 and 429 an account without credit.
     */
    misconfigured: markUnversioned(
      z.array(
        z.object({
          /** The model's name at the provider. */
          model: z.string(),
          status: z.literal([401, 402, 403, 404, 429]),
          at: z.int(),
        }),
      ),
    ),
  }),
);
export type Provider = z.output<typeof provider>;

export const protocolList = z
  .array(z.enum(providerProtocols))
  .check(
    z.refine(isCallable, { message: "must name chat or messages: calls are sent in one of them" }),
    z.refine(isWithoutRepeats, { message: "must name each protocol once" }),
  );

/** Settings of calls to a provider, besides the name of the output limit. */
const settings = {
  /** The protocols that the server speaks, by default `chat`. */
  protocols: z.optional(protocolList),
  /** How the server is shown the key, by default `bearer`. */
  auth: z.optional(z.enum(providerAuths)),
  /** The base address of messages at the same server, where it isn't `base_url`. */
  messages_base_url: z.optional(
    z.nullable(
      z
        .string()
        .check(z.refine(isBaseAddress, { message: "must be an address such as https://host/anthropic/v1" })),
    ),
  ),
  timeouts: z.optional(providerTimeouts),
  /** Fields that the gateway adds or can do without, and that this server refuses. It finds them by itself, too. */
  refused_fields: z.optional(
    z
      .array(z.enum(omittableFields))
      .check(z.refine(isWithoutRepeats, { message: "must name each field once" })),
  ),
};

export const baseUrl = z
  .string()
  .check(z.refine(isBaseAddress, { message: "must be an address such as http://127.0.0.1:11434/v1" }));

function isWithoutRepeats(names: readonly string[]): boolean {
  return new Set(names).size === names.length;
}

const apiKey = z
  .string()
  .check(z.minLength(1), z.regex(/^[!-~]+$/, "must be printable characters without spaces"));

const draftFields = {
  id: z
    .string()
    .check(z.regex(/^[a-z0-9][a-z0-9-]{0,39}$/, "must be 1 to 40 lower-case letters, digits and hyphens")),
  kind: z.enum(hostedKinds),
  /** A service whose address and settings are known. The draft's own values override them. */
  preset: z.optional(z.enum(presetNames)),
  base_url: z.optional(baseUrl),
  api_key: z.optional(z.nullable(apiKey)),
  /** In place of `api_key`: several keys, among which calls are shared. Each rests by itself. */
  api_keys: z.optional(
    z
      .array(apiKey)
      .check(z.maxLength(MAX_KEYS), z.refine(isWithoutRepeats, { message: "must name each key once" })),
  ),
  /**
   * The server's request field for the output limit. By default `max_completion_tokens` for OpenAI and Azure, and
   * `max_tokens` for others.
   */
  output_limit_field: z.optional(z.nullable(z.enum(outputLimitFields))),
  ...settings,
};

const hasOneServer = z.check<{
  readonly base_url?: string | undefined;
  readonly preset?: PresetName | undefined;
  readonly messages_base_url?: string | null | undefined;
  readonly api_key?: string | null | undefined;
  readonly api_keys?: readonly string[] | undefined;
}>(({ value, issues }) => {
  const address = findAddress(value);
  if (address === null)
    issues.push({ code: "custom", input: value, path: ["base_url"], message: "is required" });
  else if (isElsewhere(address, value.messages_base_url))
    issues.push({ code: "custom", input: value, path: ["messages_base_url"], message: ELSEWHERE });
  if (value.api_key && value.api_keys) {
    const message = "can't stand beside api_key: name all keys here";
    issues.push({ code: "custom", input: value, path: ["api_keys"], message });
  }
});

/**
 * A server of one of the kinds: its base address, including `/v1` if the server has it, and its key if it needs one.
 */
export const providerDraft = z.strictObject(draftFields).check(hasOneServer);
const { id: _id, ...fieldsWithoutId } = draftFields;
/** The same before it has an id, to be tested. */
export const providerDraftWithoutId = z.strictObject(fieldsWithoutId).check(hasOneServer);
export type ProviderDraft = z.output<typeof providerDraft>;

/** The base address that a draft names itself, or by its preset; null without one. */
export function findAddress({
  base_url,
  preset,
}: {
  readonly base_url?: string | undefined;
  readonly preset?: PresetName | undefined;
}): string | null {
  return base_url ?? (preset ? findPreset(preset).baseUrl : null);
}

/** Why an address of messages is refused: the key of a provider is for one server. */
export const ELSEWHERE = "must have the host and port of base_url";

export function isElsewhere(address: string, messagesAddress: string | null | undefined): boolean {
  if (!messagesAddress) return false;
  return !URL.canParse(address) || new URL(address).origin !== new URL(messagesAddress).origin;
}

/** The settings of a provider that can be changed. Absent ones stay as they are, each time limit by itself. */
export const providerChange = z
  .strictObject({
    output_limit_field: draftFields.output_limit_field,
    /** All keys from now on: those that stay by their id, new ones as `key`. One that isn't named is removed. */
    api_keys: z.optional(
      z
        .array(z.union([z.strictObject({ id: z.string() }), z.strictObject({ key: apiKey })]))
        .check(z.maxLength(MAX_KEYS)),
    ),
    ...settings,
  })
  .check(
    z.refine((change) => Object.values(change).some((value) => value !== undefined), {
      message:
        "must carry protocols, auth, messages_base_url, output_limit_field, api_keys, timeouts or refused_fields",
    }),
  );
export type ProviderChange = z.output<typeof providerChange>;

const deletedProvider = z.object({
  object: z.literal("organization.provider.deleted"),
  id: z.string(),
  deleted: z.literal(true),
});

export const providerOperations = defineOperations(
  { surface: "v1 and origin", scope: "organization" },
  {
    listProviders: {
      method: "GET",
      path: "/organization/providers",
      permission: "api.providers.read",
      summary: "Lists the providers that answer calls, without their keys.",
      query: searchedPageQuery,
      reply: pageSchema(provider),
    },
    createProvider: {
      method: "POST",
      effect: "creates",
      path: "/organization/providers",
      permission: "api.providers.write",
      summary: "Adds a provider. Its key is stored encrypted and never shown again.",
      body: providerDraft,
      reply: provider,
    },
    retrieveProvider: {
      method: "GET",
      path: "/organization/providers/{provider_id}",
      permission: "api.providers.read",
      summary: "Returns one provider without its key.",
      reply: provider,
    },
    changeProvider: {
      method: "POST",
      effect: "edits",
      path: "/organization/providers/{provider_id}",
      permission: "api.providers.write",
      summary:
        "Changes a provider's keys, its time limits and the fields that calls to it are sent with. Calls under way keep theirs.",
      body: providerChange,
      reply: provider,
    },
    deleteProvider: {
      method: "DELETE",
      effect: "deletes",
      path: "/organization/providers/{provider_id}",
      permission: "api.providers.write",
      summary: "Removes a provider no model is routed to.",
      reply: deletedProvider,
    },
  },
);

/** Whether an address is a valid base and contains no secret, since everyone who may see providers sees it. */
function isBaseAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, search, hash } = new URL(text);
  return /^https?:$/.test(protocol) && username + password + search + hash === "";
}
