import * as z from "zod/mini";
import { invalid, type Refusal } from "../ports/refusal";

/** Parses a value by its schema. @throws Refusal 400 whose `param` is the first field that doesn't fit. */
export function parseWith<Schema extends z.ZodMiniType>(schema: Schema, value: unknown): z.output<Schema> {
  const result = z.safeParse(schema, value);
  if (result.success) return result.data;
  throw refusalOf(result.error.issues[0] as z.core.$ZodIssue);
}

function refusalOf(issue: z.core.$ZodIssue): Refusal {
  const param = issue.path.map(String).join(".");
  if (issue.code === "unrecognized_keys") {
    const field = shorten([...(param ? [param] : []), issue.keys[0]].join("."));
    return invalid(
      field,
      `There is no field "${field}" here; remove it or check its spelling.`,
      "unknown_field",
    );
  }
  if (issue.code === "invalid_union" && issue.errors.length > 0) return refusalOf(closestForm(issue));
  const subject = param || "The body";
  const code = issue.message.includes("is not a permission")
    ? "unknown_permission"
    : issue.message === "is required"
      ? "missing_field"
      : "invalid_value";
  const end = /[.?]$/.test(issue.message) ? "" : ".";
  return invalid(param || "body", `${subject} ${issue.message}${end}`, code);
}

/** A name that callers made up is said back only so far as it can be recognised. */
function shorten(field: string): string {
  return field.length > 100 ? `${field.slice(0, 100)}…` : field;
}

/** Of a union's forms, the one the value came closest to: its first issue stands deepest or is not about a missing field. */
function closestForm(issue: z.core.$ZodIssueInvalidUnion): z.core.$ZodIssue {
  const candidates = issue.errors.flatMap((issues) => issues.slice(0, 1));
  const best = candidates.find((candidate) => candidate.message !== "is required") ?? candidates[0];
  return { ...(best as z.core.$ZodIssue), path: [...issue.path, ...(best?.path ?? [])] } as z.core.$ZodIssue;
}
