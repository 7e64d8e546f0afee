import {
  ORGANIZATION_DEFAULTS,
  type RateLimitValues,
  rateLimitFields,
} from "@/lib/contract/calls/rate-limit-table";
import {
  type RateLimitDefault,
  rateLimitDefault,
} from "@/lib/contract/operations/models/rate-limit-defaults";
import { findVersionedFields } from "@/lib/contract/version";
import { hashVersion } from "../object-version";
import { notFound } from "../refusal";
import type { Catalogue } from "./catalogue";
import type { ModelStore, StoredLimitDefaults } from "./model-store.sql";

export interface LimitDefaultContext {
  readonly models: Pick<ModelStore, "limitDefaults">;
  readonly catalogue: Pick<Catalogue, "find" | "list">;
  /** Those of the configuration file. */
  readonly defaultRateLimits: RateLimitValues;
}

/** Those of every model, and then each model's. */
export async function listLimitDefaults(context: LimitDefaultContext): Promise<RateLimitDefault[]> {
  const stored = await context.models.limitDefaults.list();
  const models = context.catalogue.list().filter(({ id }) => id !== ORGANIZATION_DEFAULTS);
  return [ORGANIZATION_DEFAULTS, ...models.map(({ id }) => id)].map((id) =>
    describeLimitDefault(context, stored, id),
  );
}

/** @throws Refusal 404 where there is no such model. */
export async function findLimitDefault(context: LimitDefaultContext, id: string): Promise<RateLimitDefault> {
  refuseUnknown(context, id);
  return describeLimitDefault(context, await context.models.limitDefaults.list(), id);
}

function refuseUnknown({ catalogue }: LimitDefaultContext, id: string): void {
  if (id !== ORGANIZATION_DEFAULTS && !catalogue.find(id)) throw notFound("model", id, "default_id");
}

/** The defaults of a model or, with the id `organization`, of every model; without their version. */
export function describeLimitDefault(
  { catalogue, defaultRateLimits }: Pick<LimitDefaultContext, "catalogue" | "defaultRateLimits">,
  stored: readonly StoredLimitDefaults[],
  id: string,
): RateLimitDefault {
  const own = findOwn(stored, id);
  const isModel = id !== ORGANIZATION_DEFAULTS;
  const model = isModel ? catalogue.find(id) : undefined;
  const inherited = {
    ...defaultRateLimits,
    ...(isModel && findOwn(stored, ORGANIZATION_DEFAULTS)),
    ...model?.definedRateLimits,
  };
  return {
    object: "rate_limit.default",
    id,
    model: isModel ? id : null,
    ...inherited,
    ...own,
    own_fields: rateLimitFields.filter((field) => own[field] !== undefined),
    inherited,
  };
}

const versionedFields = findVersionedFields(rateLimitDefault) ?? [];

export function versionOfDefault(described: RateLimitDefault): string {
  return hashVersion(described, versionedFields);
}

export function findOwn(stored: readonly StoredLimitDefaults[], id: string): StoredLimitDefaults["own"] {
  return stored.find((one) => one.id === id)?.own ?? {};
}
