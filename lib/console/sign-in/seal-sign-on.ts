import * as z from "zod/mini";
import { sealFor } from "./seal";

/** A single sign-on that waits for the provider's redirect. */
const pendingSignOn = z.object({
  stateToken: z.string(),
  /** The path to open afterwards. */
  next: z.string(),
  /** Whether it links an identity to the signed-in person instead of signing in. */
  isIdentityLink: z.boolean(),
  /** Unix seconds. */
  expiresAt: z.int(),
});
export type PendingSignOn = z.output<typeof pendingSignOn>;

/** Encrypts a pending sign-on for its cookie, and decrypts it. */
export const { close: sealSignOn, open: openSignOn } = sealFor(
  "gatehouse console single sign-on",
  pendingSignOn,
);
