import { hasEffect, type LimitField, limitFields } from "@/components/rate-limits/limit-fields";
import type { ModelFamily } from "@/lib/contract/calls/model-families";
import {
  ORGANIZATION_DEFAULTS,
  type RateLimitField,
  type RateLimitValues,
} from "@/lib/contract/calls/rate-limit-table";
import type { DraftedLimitChange } from "@/lib/contract/operations/models/rate-limit-changes";
import type { LimitValue } from "./parse-typed";

/** A row of the grid: the saved limits of a model in a project, in a plan, or by default. */
export interface LimitPair {
  readonly kind: "project" | "plan" | "default";
  /** `pairKey` of its project and model. */
  readonly key: string;
  /** The project's, or what stands in its place: the id of a plan, or `DEFAULTS`. */
  readonly projectId: string;
  readonly projectName: string;
  /** Empty for every model, in a plan or as a default. */
  readonly model: string;
  readonly family: ModelFamily | null;
  /** The providers of its routes. */
  readonly providers: readonly string[];
  readonly sandbox: boolean;
  readonly limits: RateLimitValues;
  /** The fields that are set here. The others follow the project's plan, or their defaults. */
  readonly ownFields: readonly RateLimitField[];
  /** The limits as they are without those that are set here. Null if the person may not read models. */
  readonly defaults: RateLimitValues | null;
  /** The plan that the project follows, with what it sets for the model. */
  readonly plan: {
    readonly id: string;
    readonly name: string;
    readonly sets: Partial<RateLimitValues>;
  } | null;
  readonly version: string | undefined;
  /** True if the person may not change the limits of its project. */
  readonly isLocked: boolean;
}

type LimitTargetNames = Pick<DraftedLimitChange, "project_id" | "plan_id" | "default_id" | "model">;

/** A saved value, and whether it is set by hand. */
export interface SavedValue {
  readonly value: number | null;
  readonly isOwn: boolean;
}

/** Stands for the id of a project in the keys of defaults. */
export const DEFAULTS = "default";

/** Ids of projects have no space, so no two pairs share a key. */
export const pairKey = (projectId: string, model: string): string => `${projectId} ${model}`;

/** The key of what a request or reply names. */
export function targetKey({ project_id, plan_id, default_id, model }: LimitTargetNames): string {
  if (default_id !== undefined)
    return pairKey(DEFAULTS, default_id === ORGANIZATION_DEFAULTS ? "" : default_id);
  return pairKey(project_id ?? plan_id ?? "", model ?? "");
}

export function savedValue(pair: LimitPair, field: RateLimitField): SavedValue {
  return { value: pair.limits[field], isOwn: pair.ownFields.includes(field) };
}

/** Whether a limit has a meaning for the pair's model; "n/a" otherwise. */
export function applies(pair: LimitPair, field: LimitField): boolean {
  return hasEffect(field, pair.family);
}

/** The number that the gateway would enforce once a cell is set so. The saved one stands in for an unknown default. */
export function resolve(pair: LimitPair, field: RateLimitField, to: LimitValue): number | null {
  if (to !== "default") return to;
  return (pair.defaults ?? pair.limits)[field];
}

/** The model's name, or what a row of every model is called. */
export const nameModel = ({ model }: Pick<LimitPair, "model">): string => model || "every model";

/** The row as a request names it. */
export function nameTarget({ kind, projectId, model }: LimitPair): LimitTargetNames {
  if (kind === "project") return { project_id: projectId, model };
  if (kind === "plan") return { plan_id: projectId, model: model || null };
  return { default_id: model || ORGANIZATION_DEFAULTS };
}

export const limitField = (column: number): LimitField => limitFields[column] as LimitField;
