import * as z from "zod/mini";
import { passwordSignIn } from "@/lib/contract/operations/sign-in/sign-in";
import type { Problem } from "../gateway/problem";

// Safe for the browser.

/** The path to open after sign-in; `safeNext` checks it again. */
const next = z.optional(z.string());

export const keySignIn = z.object({
  key: z
    .string()
    .check(z.trim(), z.minLength(1, "Paste an admin key."), z.maxLength(3000, "This is too long for a key.")),
  next,
});
export type KeySignIn = z.output<typeof keySignIn>;

/** The token of a one-time link, from the fragment `#token=`. */
export const linkSignIn = z.object({
  token: z.string().check(z.minLength(1), z.maxLength(200)),
  next,
});

export const memberSignIn = z.extend(passwordSignIn, { next });

/** Apps show the digits in groups, and people enter codes that way. */
export const codeSignIn = z.object({
  challenge: z.string().check(z.minLength(1), z.maxLength(2000)),
  code: z.pipe(
    z.pipe(
      z.string(),
      z.transform((text) => text.replaceAll(/\s/g, "")),
    ),
    z.string().check(z.minLength(6, "Type the whole code."), z.maxLength(40, "This is too long for a code.")),
  ),
  next,
});

export const providerSignIn = z.object({ next });

/** The current step of the sign-in. The form submits it; nothing is stored. */
export type SignInStep =
  | { readonly kind: "password"; readonly email: string; readonly refusal: Problem | null }
  | {
      readonly kind: "code";
      readonly email: string;
      readonly challenge: string;
      readonly refusal: Problem | null;
    };
