import * as z from "zod/mini";

type Issue = z.core.$ZodRawIssue | z.core.$ZodIssue;

const units: Record<string, string> = { string: "characters", array: "entries" };

/**
 * Messages that have an error code of their own: of a field that is missing, and the beginning of one about a
 * permission.
 */
export const IS_REQUIRED = "is required";
export const IS_NO_PERMISSION = "is not a permission";

/** The message for a union without one of its own. */
export const MATCHES_NO_VARIANT = "does not fit any of the forms allowed here";

/** A sentence fragment that says what a value must be ("must be a whole number"), for forms and error bodies. */
export function describeIssue(issue: Issue): string {
  switch (issue.code) {
    case "invalid_type":
      if (issue.input === undefined) return IS_REQUIRED;
      if (issue.expected === "number" && typeof issue.input === "number") return "must be a finite number";
      return `must be ${typeName(issue.expected)}`;
    case "too_small":
      if (issue.origin === "string" && issue.minimum === 1) return "must not be empty";
      return `must be at least ${bound(issue.minimum, issue.origin)}`;
    case "too_big":
      return `must be at most ${bound(issue.maximum, issue.origin)}`;
    case "invalid_value":
      return `must be ${joinWords(issue.values.map((value) => JSON.stringify(value)))}`;
    case "unrecognized_keys":
      return `has no such field: ${issue.keys.join(", ")}`;
    case "invalid_union":
      return MATCHES_NO_VARIANT;
    default:
      return "is not valid";
  }
}

/** Makes every schema without messages of its own use `describeIssue`. Call it once, at start. */
export function installPlainMessages(): void {
  z.config({ customError: describeIssue });
}

function typeName(expected: string): string {
  if (expected === "int") return "a whole number";
  if (expected === "boolean") return "true or false";
  return /^[aeiou]/.test(expected) ? `an ${expected}` : `a ${expected}`;
}

function bound(limit: number | bigint, origin: string): string {
  const unit = units[origin];
  return unit
    ? `${limit} ${limit === 1 ? unit.replace(/ies$/, "y").replace(/s$/, "") : unit}`
    : String(limit);
}

function joinWords(values: string[]): string {
  return values.length < 2 ? values.join("") : `${values.slice(0, -1).join(", ")} or ${values.at(-1)}`;
}
