import type * as z from "zod/mini";
import { describeIssue } from "@/lib/contract/describe-issue";
import { type GatewayReply, plainProblem } from "../gateway/problem";

/** Checks a browser's input against a schema. Faults are listed by field, with paths joined by dots. */
export function parseInput<Schema extends z.ZodMiniType>(
  schema: Schema,
  input: unknown,
): GatewayReply<z.output<Schema>> {
  const parsed = schema.safeParse(input, { error: describeIssue });
  if (parsed.success) return { ok: true, data: parsed.data, requestId: null };
  const fields: Record<string, string> = {};
  for (const issue of parsed.error.issues) fields[issue.path.join(".")] ??= issue.message;
  const first = parsed.error.issues[0];
  const where = first?.path.join(".");
  const message = first
    ? `${where ? `${where} ` : "The input "}${first.message}.`
    : "The input is not valid.";
  return { ok: false, problem: plainProblem("invalid", message, { fields }) };
}
