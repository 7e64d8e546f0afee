import * as z from "zod/mini";

const version = z.string().check(z.regex(/^[!#-~]{1,200}$/));

/** The version of the edited object; absent if the gateway sends none. */
export const knownVersion = z.optional(version);

/** The same; null if there was no object yet. */
export const knownVersionOrNone = z.optional(z.nullable(version));

/** The header by which a save changes this version only; for null, by which it saves only if there is no object yet. */
export function ifMatch(known: string | null | undefined): Readonly<Record<string, string>> {
  if (known === null) return { "if-none-match": "*" };
  return known === undefined ? {} : { "if-match": `"${known}"` };
}
