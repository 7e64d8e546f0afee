import type * as z from "zod/mini";
import { describeIssue } from "@/lib/contract/describe-issue";
import { createProblem, type GatewayReply } from "./problem";

/** Checks a browser's input against a schema. Faults are listed by field, with paths joined by dots. */
export function parseInput<Schema extends z.ZodMiniType>(
  schema: Schema,
  input: unknown,
): GatewayReply<z.output<Schema>> {
  const result = schema.safeParse(input, { error: describeIssue });
  if (result.success) return { ok: true, data: result.data, requestId: null };
  const fields: Record<string, string> = {};
  for (const issue of result.error.issues) fields[issue.path.join(".")] ??= issue.message;
  const first = result.error.issues[0];
  const where = first?.path.join(".");
  const message = first
    ? `${where ? `${where} ` : "The input "}${first.message}.`
    : "The input is not valid.";
  return { ok: false, problem: createProblem("invalid", message, { fields }) };
}
