import * as z from "zod/mini";
import { modelFamilies } from "../../calls/model-families";
import { presetNames } from "../../calls/provider-presets";
import { providerProtocols } from "../../calls/provider-protocols";
import { defineOperations } from "../../operation";
import { decimal, positiveDecimal } from "../../schema";
import { audioPrice, modelPriceDraft, unitPrice } from "./models";
import { providerDraftWithoutId } from "./providers";

/** What one call of one token told about a protocol. */
const protocolFinding = z.object({
  protocol: z.enum(providerProtocols),
  /**
   * `answered`: the server speaks it. `refused`: it speaks it, and refused this call. `absent`: it doesn't speak it.
   * `unknown`: what it answered doesn't tell.
   */
  outcome: z.enum(["answered", "refused", "absent", "unknown"]),
  /** The reply's status; null if there was none. */
  status: z.nullable(z.int()),
  /** What the server answered, in its own words where it sent some, and how to correct it. */
  message: z.string(),
});
export type ProtocolFinding = z.output<typeof protocolFinding>;

/** Where a price or a window is known from: the provider's own list, or the catalogue that the gateway brings along. */
const priceSources = ["provider", "catalogue"] as const;

/** A model of the provider's own list, with what is known of it. */
const offeredModel = z.object({
  /** Its name at the provider. */
  model: z.string(),
  /** The id that it can have here: its name, or another one where that is taken or no address can name it. */
  suggested_id: z.string(),
  family: z.enum(modelFamilies),
  context_window: z.nullable(z.int()),
  max_output_tokens: z.nullable(z.int()),
  /** What a prompt may have beside text; null if it isn't known. */
  input_modalities: z.nullable(z.array(z.string())),
  /** Its list price in the organization's currency: one of the two, or neither where none is known. */
  price: z.nullable(modelPriceDraft),
  unit_price: z.nullable(unitPrice),
  /** The list price of tokens of audio; null if it is that of text, or isn't known. */
  audio_price: z.nullable(audioPrice),
  price_source: z.nullable(z.enum(priceSources)),
  /** The model of this gateway that is routed to it already. */
  imported: z.nullable(z.object({ id: z.string(), rate: decimal })),
  /** Why no call of it would be answered here, such as another API that it needs; null if calls can be. */
  unusable: z.nullable(z.string()),
});
export type OfferedModel = z.output<typeof offeredModel>;

/** The provider's own list of models. */
const modelOffer = z.object({
  data: z.array(offeredModel),
  /** Whether the provider's list goes on beyond `data`. */
  has_more: z.boolean(),
  /** The day of the catalogue, from which prices and windows are known that the provider doesn't tell. */
  catalogue_date: z.string(),
  /** The currency of list prices, and what one unit of it was taken for in the organization's currency. */
  list_currency: z.string(),
  exchange_rate: z.nullable(decimal),
});
export type ModelOffer = z.output<typeof modelOffer>;

/** The result of testing a provider. */
const providerTest = z.object({
  object: z.literal("organization.provider.test"),
  /** Null for a provider that isn't saved yet. */
  id: z.nullable(z.string()),
  /**
   * `reached`: it answered. `refused`: it answered, but rejects the gateway's key. `unreachable`: it did not answer.
   */
  outcome: z.enum(["reached", "refused", "unreachable"]),
  /** The status of the list of models; null if there was none. */
  status: z.nullable(z.int()),
  took_ms: z.int(),
  /** The finding, and how to correct it. */
  message: z.string(),
  /** One call of one token in each protocol, with the model that was called; none where a call would tell nothing. */
  tested_model: z.nullable(z.string()),
  protocols: z.array(protocolFinding),
  /** The protocols that the server was found to speak, as `protocols` of the provider may be set to. */
  spoken_protocols: z.array(z.enum(providerProtocols)),
  /** Null where the provider's list of models couldn't be read. */
  models: z.nullable(modelOffer),
});
export type ProviderTest = z.output<typeof providerTest>;

/** A model server that was found on the gateway's machine. */
const localServer = z.object({
  /** The service that usually listens there, with its name. */
  preset: z.enum(presetNames),
  title: z.string(),
  base_url: z.string(),
  /** How many models it lists. */
  models: z.int(),
});
export type LocalServer = z.output<typeof localServer>;

const testSettings = {
  /** The model that is called, by its name at the provider; by default a cheap one of those there are. */
  model: z.optional(z.string().check(z.minLength(1), z.maxLength(200))),
  /** What a unit of the currency of list prices is worth in the organization's. Without it, they are in the same. */
  exchange_rate: z.optional(positiveDecimal),
};

/** A provider before it has an id, and how it is tested. */
export const newProviderTest = z.strictObject({ provider: providerDraftWithoutId, ...testSettings });

export const providerTestOperations = defineOperations(
  { surface: "v1 and origin", scope: "organization", permission: "api.providers.write" },
  {
    testProvider: {
      method: "POST",
      effect: "acts",
      path: "/organization/providers/{provider_id}/test",
      summary:
        "Asks a provider for its models and for one token in each protocol, with the gateway's key, and says what it answered. Changes nothing and charges nobody; the provider may bill the few tokens.",
      query: z.strictObject(testSettings),
      reply: providerTest,
    },
    retrieveLocalServers: {
      method: "GET",
      path: "/organization/local_servers",
      summary:
        "Looks for model servers at the usual ports of the gateway's machine, where GATEHOUSE_PROVIDER_HOSTS allows it, and lists those that are no provider yet. None is added.",
      reply: z.object({ object: z.literal("organization.local_servers"), servers: z.array(localServer) }),
    },
    testNewProvider: {
      method: "POST",
      effect: "acts",
      path: "/organization/provider_tests",
      summary: "Tests a provider as testProvider does, before it is added. Nothing of it is kept.",
      body: newProviderTest,
      reply: providerTest,
    },
  },
);
