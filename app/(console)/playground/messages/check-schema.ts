import * as z from "zod";
import { isObject } from "../settings/settings";

/** Returns where a value violates a JSON schema; null if it is valid. Pass undefined for text that isn't JSON. */
export function findSchemaFault(value: unknown, schema: unknown): string | null {
  if (value === undefined) return "The answer is not JSON.";
  if (!isObject(schema)) return "The schema is not an object.";
  let read: z.ZodType;
  try {
    read = z.fromJSONSchema(schema);
  } catch (error) {
    return `The schema can't be checked here: ${error instanceof Error ? error.message : "unknown"}`;
  }
  const [issue] = read.safeParse(value).error?.issues ?? [];
  if (!issue) return null;
  return issue.path.length > 0 ? `${issue.path.join(".")}: ${issue.message}` : issue.message;
}
