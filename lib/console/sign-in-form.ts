import * as z from "zod/mini";

// Safe for the browser.

/** What the sign-in screen asks for. Where it leads afterwards is checked again by `safeNext`. */
export const keySignIn = z.object({
  key: z
    .string()
    .check(z.trim(), z.minLength(1, "Paste an admin key."), z.maxLength(3000, "This is too long for a key.")),
  next: z.optional(z.string()),
});
export type KeySignIn = z.output<typeof keySignIn>;

/** The token of a one-time link, as it stood behind `#token=`. */
export const linkSignIn = z.object({
  token: z.string().check(z.minLength(1), z.maxLength(200)),
  next: z.optional(z.string()),
});
