import * as z from "zod/mini";
import { IS_NO_PERMISSION, IS_REQUIRED, MATCHES_NO_VARIANT } from "@/lib/contract/describe-issue";
import { findNearestName } from "@/lib/contract/nearest-name";
import { invalid, type Refusal } from "../refusal";

/** Parses a value with its schema. @throws Refusal 400 whose `param` is the first invalid field. */
export function parseWith<Schema extends z.ZodMiniType>(schema: Schema, value: unknown): z.output<Schema> {
  const result = z.safeParse(schema, value);
  if (result.success) return result.data;
  const [first] = result.error.issues as [z.core.$ZodIssue];
  throw toRefusal(schema, findMisspelling(first, result.error.issues) ?? first);
}

/** If a required field is missing and a similar unknown one is present, the error is about the unknown one. */
function findMisspelling(
  missing: z.core.$ZodIssue,
  issues: readonly z.core.$ZodIssue[],
): z.core.$ZodIssue | undefined {
  if (missing.message !== IS_REQUIRED) return undefined;
  const name = String(missing.path.at(-1));
  const parentPath = missing.path.slice(0, -1).join(".");
  return issues.find(
    (issue) =>
      issue.code === "unrecognized_keys" &&
      issue.path.join(".") === parentPath &&
      findNearestName(issue.keys[0] ?? "", [name]) !== null,
  );
}

function toRefusal(schema: z.core.$ZodType, issue: z.core.$ZodIssue): Refusal {
  const param = issue.path.map(String).join(".");
  if (issue.code === "unrecognized_keys") {
    const name = issue.keys[0] ?? "";
    const field = shorten([...(param ? [param] : []), name].join("."));
    const similar = findNearestName(name, fieldsAt(schema, issue.path));
    const mend = similar ? `did you mean ${similar}?` : "remove it or check its spelling.";
    return invalid(field, `There is no field "${field}" here; ${mend}`, "unknown_field");
  }
  if (issue.code === "invalid_union" && issue.errors.length > 0 && issue.message === MATCHES_NO_VARIANT) {
    return toRefusal(schema, findClosestForm(issue));
  }
  const subject = param || "The body";
  const code = issue.message.startsWith(IS_NO_PERMISSION)
    ? "unknown_permission"
    : issue.message === IS_REQUIRED
      ? "missing_field"
      : "invalid_value";
  const end = /[.?]$/.test(issue.message) ? "" : ".";
  return invalid(param || "body", `${subject} ${issue.message}${end}`, code);
}

/** Shortens a field name that the caller chose, so that the error stays readable. */
function shorten(field: string): string {
  return field.length > 100 ? `${field.slice(0, 100)}…` : field;
}

/**
 * The form of a union that the value came closest to: the one whose first issue lies deepest, or is not about a missing
 * field.
 */
function findClosestForm(issue: z.core.$ZodIssueInvalidUnion): z.core.$ZodIssue {
  const candidates = issue.errors
    .flatMap((issues) => issues.slice(0, 1))
    .toSorted((one, other) => other.path.length - one.path.length);
  const deepest = candidates.filter(({ path }) => path.length === candidates[0]?.path.length);
  const best = deepest.find((candidate) => candidate.message !== IS_REQUIRED) ?? deepest[0];
  return { ...(best as z.core.$ZodIssue), path: [...issue.path, ...(best?.path ?? [])] } as z.core.$ZodIssue;
}

/** The possible field names at a path within a value. */
function fieldsAt(schema: z.core.$ZodType, path: readonly PropertyKey[]): string[] {
  if (schema instanceof z.ZodMiniOptional || schema instanceof z.ZodMiniNullable) {
    return fieldsAt(schema.def.innerType, path);
  }
  if (schema instanceof z.ZodMiniUnion) {
    return schema.def.options.flatMap((option) => fieldsAt(option, path));
  }
  const [next, ...remainingPath] = path;
  if (schema instanceof z.ZodMiniArray) return fieldsAt(schema.def.element, remainingPath);
  if (!(schema instanceof z.ZodMiniObject)) return [];
  if (next === undefined) return Object.keys(schema.shape);
  const field = (schema.shape as Record<string, z.core.$ZodType>)[String(next)];
  return field ? fieldsAt(field, remainingPath) : [];
}
