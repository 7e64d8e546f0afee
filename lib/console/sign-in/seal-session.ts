import * as z from "zod/mini";
import { sealFor } from "./seal";

/** The signed-in person, as the console keeps it between requests. */
const session = z.object({
  /** `session`: a session of the gateway. `token`: a pasted token, for a gateway without sessions. */
  kind: z.enum(["session", "token"]),
  token: z.string().check(z.minLength(1)),
  /** Unix seconds. */
  expiresAt: z.int(),
});
export type ConsoleSession = z.output<typeof session>;

/** A new session, with a device token if the device was unknown. */
export type NewSession = ConsoleSession & { readonly deviceToken?: string };

/** Encrypts a session for its cookie, and decrypts it. */
export const { close: sealSession, open: openSession } = sealFor("gatehouse console session", session);
