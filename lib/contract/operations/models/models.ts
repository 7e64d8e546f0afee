import * as z from "zod/mini";
import { modelFamilies, priceUnits } from "../../calls/model-families";
import { providerProtocols } from "../../calls/provider-protocols";
import {
  hasOneOrder,
  hasPriceToCompare,
  listRouteGroups,
  numberGroups,
  routeOrders,
} from "../../calls/route-groups";
import { defineOperations } from "../../operation";
import { fitsPath } from "../../path-segment";
import {
  decimal,
  pageQuery,
  pageSchema,
  positiveDecimal,
  queryFlag,
  searchedPageQuery,
  unixSeconds,
} from "../../schema";
import { markUnversioned, withVersion } from "../../version";
import { rateLimitValues } from "./rate-limits";

/** Classes of input that may have a list price of their own. Without one they cost as much as input. */
const inputPrices = {
  /** Tokens that the provider read from its cache. */
  cached_input_per_1m: z.optional(decimal),
  /** Tokens that it wrote to its cache for five minutes. */
  cache_write_5m_per_1m: z.optional(decimal),
  /** Tokens that it wrote to its cache for an hour. */
  cache_write_1h_per_1m: z.optional(decimal),
};

/** As calls name it, but for its version: `web_search` for `web_search_20250305`. */
const toolName = z
  .string()
  .check(z.regex(/^[a-z0-9_:.-]{1,64}$/, "must be the name of a tool, such as web_search"));

const tokenPrices = {
  ...inputPrices,
  /** A call whose prompt has more tokens is charged at the prices of `long_context`, all of it. */
  long_context_from: z.optional(z.int().check(z.minimum(1), z.maximum(100_000_000))),
  /** The prices of such calls. An absent price is the same as for other calls. */
  long_context: z.optional(
    z.strictObject({ input_per_1m: z.optional(decimal), output_per_1m: z.optional(decimal), ...inputPrices }),
  ),
};

const classPrices = {
  ...tokenPrices,
  /** The model rate of calls that ask for `service_tier: priority`, which are refused without it. */
  priority_rate: z.optional(positiveDecimal),
  /**
   * The list price of one call of each tool that the provider runs, such as `{ "web_search": "0.01" }`. A call that
   * asks for another one is refused.
   */
  tools: z.optional(z.record(toolName, decimal)),
};

/** List price per 1,000,000 tokens in the organization's currency; "0" for free. */
export const modelPrice = z.strictObject({ input_per_1m: decimal, output_per_1m: decimal, ...classPrices });
export type ModelPrice = z.output<typeof modelPrice>;

/** The same as it is given: models that write no tokens, such as those for embeddings, need no output price. */
export const modelPriceDraft = z.strictObject({
  input_per_1m: decimal,
  output_per_1m: z.optional(decimal),
  ...classPrices,
});
export type ModelPriceDraft = z.output<typeof modelPriceDraft>;

/** List price per 1,000,000 tokens of audio, which providers report apart from those of text. */
export const audioPrice = z.strictObject({ input_per_1m: decimal, output_per_1m: decimal });
export type AudioPrice = z.output<typeof audioPrice>;

const qualityName = z.string().check(z.regex(/^[a-z0-9_-]{1,32}$/, "must be a short name such as hd"));

/** List price per unit of what a model makes or reads, such as an image or a minute, with exceptions by quality. */
export const unitPrice = z.strictObject({
  unit: z.enum([...new Set(Object.values(priceUnits).flat())]),
  amount: decimal,
  qualities: z.optional(z.record(qualityName, decimal)),
});
export type UnitPrice = z.output<typeof unitPrice>;

const contextWindow = z.int().check(z.minimum(1), z.maximum(100_000_000));

/** What a provider charges per 1,000,000 tokens on a route. Callers are charged the model's price on each. */
export const modelRoutePrice = z.strictObject({
  input_per_1m: decimal,
  output_per_1m: z.optional(decimal),
  ...tokenPrices,
});

/** A route of a model's calls: a provider and the model's name there. */
const modelRoute = z.strictObject({
  provider: z.string().check(z.minLength(1)),
  model: z.string().check(z.minLength(1), z.maxLength(200)),
  /**
   * Groups are tried in order; the routes of one share its calls. A route without a group has one of its own, after the
   * route before it.
   */
  group: z.optional(z.int().check(z.minimum(1), z.maximum(10))),
  /** Its share of the group's calls, against the others' weights; 100 by default. 0: it gets none. */
  weight: z.optional(z.int().check(z.minimum(0), z.maximum(1_000))),
  /**
   * How the routes of its group take turns: by weight, the fastest of the last 15 minutes first, or the one whose
   * provider charges least for the call.
   */
  order: z.optional(z.enum(routeOrders)),
  /** The most tokens of prompt and output there, where that is not the model's own. */
  context_window: z.optional(contextWindow),
  /** When it gets no more calls, as at the end of a canary. */
  ends_at: z.optional(unixSeconds),
  /** What its provider charges, where that is not the model's price; of models that are priced by tokens. */
  price: z.optional(modelRoutePrice),
  /** Written by the gateway: why it ended a canary before its time. */
  ended_early: z.optional(z.string().check(z.maxLength(300))),
});
export type ModelRoute = z.output<typeof modelRoute>;

/** A model's routes, in the order of their groups. */
export const modelRoutes = z.array(modelRoute).check(
  z.minLength(1, "must name at least one route"),
  z.maxLength(10),
  z.refine((routes) => listRouteGroups(routes).every(hasOneOrder), {
    message: "must say the same order for each route of a group",
  }),
  z.refine((routes) => listRouteGroups(routes).every(hasPriceToCompare), {
    message: "must give a price to a route of each group in the order of price",
  }),
  z.refine((routes) => numberGroups(routes).every((group, at, all) => group >= (all[at - 1] ?? 1)), {
    message: "must stand in the order of their groups",
  }),
  z.refine(
    (routes) => routes.length === 0 || routes.some(({ weight, ends_at }) => weight !== 0 && !ends_at),
    {
      message: "must have a route that has a weight and no end",
    },
  ),
);

/** The value of `model` in calls: printable ASCII without spaces. */
export const modelId = z
  .string()
  .check(
    z.minLength(1),
    z.maxLength(200),
    z.regex(/^[!-~]+$/, "must be printable characters without spaces"),
  );

/** The id of a new model, which stands in the paths of its settings and limits. */
const newModelId = modelId.check(
  z.refine((id) => id === "" || fitsPath(id), {
    message:
      "must not be . or .., nor have such a part or an empty one between slashes: no address can name it",
  }),
);

export const organizationModel = withVersion(
  z.object({
    object: z.literal("organization.model"),
    id: z.string(),
    family: z.enum(modelFamilies),
    description: z.nullable(z.string()),
    currency: z.string(),
    rate: decimal,
    /** The model rate of batch lines; null if it is the same as `rate`. */
    batch_rate: z.nullable(decimal),
    /** Null while no price is set: such a model answers no call. */
    price: z.nullable(modelPrice),
    /** The price of models that are priced by the unit, which have no token price. */
    unit_price: z.nullable(unitPrice),
    /** Null if tokens of audio cost as much as those of text. */
    audio_price: z.nullable(audioPrice),
    /** When rate or price were last changed; null while they are as defined. */
    price_set_at: markUnversioned(z.nullable(unixSeconds)),
    /** The most tokens that one answer may have. Null if none is set: the context window bounds it. */
    max_output_tokens: z.nullable(z.int()),
    /**
     * The maximum tokens of prompt and output together. Null if unknown: a part of unknown size is then held at
     * 128,000.
     */
    context_window: z.nullable(z.int()),
    /** What a prompt may have beside text; null if it isn't known. */
    input_modalities: z.nullable(z.array(z.string())),
    routes: z.array(modelRoute),
    /** The projects that may call it, besides those whose own list of models allows it; null: every project. */
    projects: z.nullable(z.array(z.string())),
    source: z.enum(["built_in", "config", "database"]),
    /** True for the offline sandbox models, which don't call a real model. */
    sandbox: z.boolean(),
    default_rate_limits: rateLimitValues,
  }),
);
export type OrganizationModel = z.output<typeof organizationModel>;

const maxOutputTokens = z.int().check(z.minimum(1), z.maximum(10_000_000));
const inputModalities = z
  .array(z.string().check(z.regex(/^[a-z]{1,16}$/, "must be words such as text and image")))
  .check(z.minLength(1), z.maxLength(8));

const openTo = z.optional(z.nullable(z.array(z.string().check(z.minLength(1))).check(z.maxLength(1_000))));

export const modelDraft = z.strictObject({
  id: newModelId,
  family: z.enum(modelFamilies),
  rate: positiveDecimal,
  /** The model rate of batch lines, for models that answer them; `rate` by default. */
  batch_rate: z.optional(z.nullable(positiveDecimal)),
  /** The price of models that are priced by tokens. A transcription model has either this or `unit_price`. */
  price: z.optional(modelPriceDraft),
  /** The price of models that are priced by the unit. */
  unit_price: z.optional(unitPrice),
  /**
   * The price of tokens of audio, for chat models that hear or speak and transcription models with a price by tokens;
   * by default that of text.
   */
  audio_price: z.optional(z.nullable(audioPrice)),
  max_output_tokens: z.optional(maxOutputTokens),
  context_window: z.optional(contextWindow),
  /** What a prompt may have, such as `text` and `image`, for the clients that ask. No call is refused by it. */
  input_modalities: z.optional(inputModalities),
  routes: modelRoutes,
  /** The ids of the projects that may call it, besides those whose own list allows it; by default, all may. */
  projects: openTo,
});
export type ModelDraft = z.output<typeof modelDraft>;

/** The prices of a model that can be changed. Absent ones stay as they are. */
export const priceChange = {
  rate: z.optional(positiveDecimal),
  /** Null: the same as `rate`. */
  batch_rate: z.optional(z.nullable(positiveDecimal)),
  /** Replaces the whole price: classes that it leaves out cost as much as input. */
  price: z.optional(modelPriceDraft),
  unit_price: z.optional(unitPrice),
  /** Null: as much as tokens of text. */
  audio_price: z.optional(z.nullable(audioPrice)),
};
type SomePrice = Partial<Record<"rate" | "batch_rate" | "price" | "unit_price" | "audio_price", unknown>>;
export const changesSomePrice = z.refine<SomePrice>(
  ({ rate, batch_rate, price, unit_price, audio_price }) =>
    [rate, batch_rate, price, unit_price, audio_price].some((one) => one !== undefined),
  { message: "must carry rate, batch_rate, price, unit_price or audio_price" },
);

export const modelChange = z
  .strictObject({
    ...priceChange,
    /** Replaces the projects that may call it, besides those whose own list allows it. Null: every project. */
    projects: openTo,
  })
  .check(
    z.refine((change) => Object.values(change).some((value) => value !== undefined), {
      message: "must carry rate, batch_rate, price, unit_price, audio_price or projects",
    }),
  );
export type ModelChange = z.output<typeof modelChange>;

/**
 * What a call costs its project: list price × model rate, per token or per unit, as decimal strings. Clients know these
 * names from other lists of models.
 */
const listedPricing = z.object({
  currency: z.string(),
  prompt: z.optional(z.string()),
  completion: z.optional(z.string()),
  /** Tokens that the provider reads from its cache, and that it writes to it for five minutes. */
  input_cache_read: z.optional(z.string()),
  input_cache_write: z.optional(z.string()),
  /** For models that are priced by the unit: `image`, `second` and so on, and the price of one. */
  unit: z.optional(z.string()),
  per_unit: z.optional(z.string()),
});

/** A model as OpenAI's `GET /models` lists it, and what clients beyond OpenAI's ask of a list. */
const listedModel = z.object({
  object: z.literal("model"),
  id: z.string(),
  created: z.int(),
  owned_by: z.string(),
  /** The most tokens of prompt and output together; null if it isn't known. */
  context_length: z.nullable(z.int()),
  max_output_tokens: z.nullable(z.int()),
  pricing: listedPricing,
  /**
   * The protocols in which a chat model answers, that of its first provider first: such calls are passed on unchanged.
   * Models of other families have endpoints of their own.
   */
  supported_protocols: z.array(z.enum(providerProtocols)),
  /** What a prompt may have; null if it isn't known. */
  input_modalities: z.nullable(z.array(z.string())),
});
export type ListedModel = z.output<typeof listedModel>;

/** A model as Anthropic's `GET /models` lists it, for callers that send `anthropic-version`. */
const anthropicModel = z.object({
  type: z.literal("model"),
  id: z.string(),
  display_name: z.string(),
  /** RFC 3339. */
  created_at: z.string(),
  /** The most tokens of a prompt and of an answer; null if they aren't known. */
  max_input_tokens: z.nullable(z.int()),
  max_tokens: z.nullable(z.int()),
});
export type AnthropicModel = z.output<typeof anthropicModel>;

const openaiModels = z.object({ object: z.literal("list"), data: z.array(listedModel) });
const anthropicModels = z.object({
  data: z.array(anthropicModel),
  first_id: z.nullable(z.string()),
  last_id: z.nullable(z.string()),
  has_more: z.boolean(),
});

/** The paging of Anthropic's list; OpenAI's is always complete. */
const anthropicPage = z.strictObject({
  limit: pageQuery.shape.limit,
  after_id: z.optional(z.string()),
  before_id: z.optional(z.string()),
});

const listQuery = z.extend(searchedPageQuery, {
  family: z.optional(z.enum(modelFamilies)),
  /** Whether it has a price. Models without one answer no call. */
  priced: z.optional(queryFlag),
  sandbox: z.optional(queryFlag),
});
export type OrganizationModelFilter = Pick<z.output<typeof listQuery>, "family" | "priced" | "sandbox">;

export const modelOperations = {
  ...defineOperations(
    { surface: "v1", scope: "named project", permission: "api.models.read" },
    {
      listModels: {
        method: "GET",
        path: "/models",
        limitedKeys: "all",
        summary:
          "Lists the models that can be called; with an anthropic-version header, page by page in Anthropic's shape.",
        query: anthropicPage,
        reply: z.union([openaiModels, anthropicModels]),
      },
      retrieveModel: {
        method: "GET",
        path: "/models/{model_id}",
        limitedKeys: "all",
        summary:
          "Returns one model that can be called; with an anthropic-version header, in Anthropic's shape.",
        reply: z.union([listedModel, anthropicModel]),
      },
    },
  ),
  ...defineOperations(
    { surface: "v1 and origin" },
    {
      listOrganizationModels: {
        method: "GET",
        path: "/organization/models",
        scope: "any project",
        permission: "api.models.read",
        summary: "Lists every model with its list price, model rate, routes and default rate limits.",
        query: listQuery,
        reply: pageSchema(organizationModel),
      },
      createOrganizationModel: {
        method: "POST",
        effect: "creates",
        path: "/organization/models",
        scope: "organization",
        permission: "api.models.write",
        summary: "Adds a model that providers of this gateway answer.",
        body: modelDraft,
        reply: organizationModel,
      },
      retrieveOrganizationModel: {
        method: "GET",
        path: "/organization/models/{model_id}",
        scope: "any project",
        permission: "api.models.read",
        summary: "Returns one model with its list price, model rate, routes and default rate limits.",
        reply: organizationModel,
      },
      changeOrganizationModel: {
        method: "POST",
        effect: "edits",
        path: "/organization/models/{model_id}",
        scope: "organization",
        permission: "api.models.write",
        summary:
          "Changes a model's list price, its model rate or the projects that may call it. Calls already admitted keep the price they were admitted at.",
        body: modelChange,
        reply: organizationModel,
      },
    },
  ),
};
