import * as z from "zod/mini";

/** The version of the object that a form edits; absent where the gateway sends none. */
export const knownVersion = z.optional(z.string().check(z.regex(/^[!#-~]{1,200}$/)));

/** The header by which a save names what it changes. */
export function ifMatch(version: string | undefined): Readonly<Record<string, string>> {
  return version === undefined ? {} : { "if-match": `"${version}"` };
}
