import * as z from "zod/mini";

/** The version of the edited object; absent if the gateway sends none. */
export const knownVersion = z.optional(z.string().check(z.regex(/^[!#-~]{1,200}$/)));

/** The header with which a save names the version that it changes. */
export function ifMatch(version: string | undefined): Readonly<Record<string, string>> {
  return version === undefined ? {} : { "if-match": `"${version}"` };
}
