import { FAILED_SIGN_IN } from "@/lib/contract/audit-events";
import { auditedAs } from "../audit/audit-context";
import type { UserRecord } from "../members/user-store";
import { ATTEMPTS_KEPT_MS } from "../sign-in/attempt-rules";
import { Attempts } from "../sign-in/attempts";
import { openCredentials } from "../sign-in/better-auth/open-credentials";
import { DEVICES_KEPT_MS } from "../sign-in/devices";
import { noteFailedSignIn } from "../store/note-failed-sign-in";
import type { StoreOptions, Stores } from "./open-stores";
import type { SignInSettings } from "./sign-in-settings";
import { createSmtpMailer } from "./smtp-mailer";

/** Opens what sign-in needs besides the stores. */
export function openSignIn(
  { signIn, secret, effects, logFault }: StoreOptions & { signIn: SignInSettings },
  stores: Stores,
) {
  const { consoleUrl, openIdProvider, mail } = signIn;
  const credentials = openCredentials({
    database: stores.database,
    secret,
    openIdProvider,
    singleSignOnAddress: `${consoleUrl}/sign-in/answer`,
    logFault,
    effects,
  });
  return {
    credentials,
    consoleUrl,
    openIdProvider,
    mailer: createSmtpMailer(mail, logFault),
    noteFailedSignIn: (user: UserRecord) => {
      const noted = auditedAs(FAILED_SIGN_IN, () => noteFailedSignIn(stores.database, user));
      noted.catch((error: unknown) => logFault("audit log", error));
    },
    attempts: new Attempts(stores.signInAttempts, effects.clock),
  };
}

/** A code is valid for a minute and a half. */
const SPENT_KEPT_MS = 60 * 60_000;

/** Deletes expired attempts, devices and proofs. */
export async function forgetOldSignIns(
  { signInAttempts, devices, spentProofs }: Stores,
  nowMs: number,
): Promise<void> {
  await signInAttempts.prune(nowMs - ATTEMPTS_KEPT_MS);
  await devices.prune(nowMs - DEVICES_KEPT_MS);
  await spentProofs.prune(nowMs - SPENT_KEPT_MS);
}
