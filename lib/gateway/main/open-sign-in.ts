import { FAILED_SIGN_IN } from "@/lib/contract/audit-events";
import { auditedAs } from "../audit/audit-context";
import { openCredentials } from "../identity/open-credentials";
import type { UserRecord } from "../members/user-store";
import { newToken } from "../ports/new-token";
import { type AdmitContext, admitInvited } from "../routes/admit-member";
import { AttemptLimiter, resetMails, wrongPasswords } from "../sign-in/attempt-limiter";
import { noteFailedSignIn } from "../store/note-failed-sign-in";
import type { StoreOptions, Stores } from "./open-stores";
import type { SignInSettings } from "./sign-in-settings";
import { createSmtpMailer } from "./smtp-mailer";

/** What signing people in needs, besides the stores. */
export function openSignIn(
  { signIn, secret, effects, logFault }: StoreOptions & { signIn: SignInSettings },
  stores: Stores,
  admission: AdmitContext,
) {
  const { consoleUrl, openIdProvider, mail } = signIn;
  const credentials = openCredentials({
    database: stores.database,
    secret,
    openIdProvider,
    singleSignOnAddress: `${consoleUrl}/sign-in/answer`,
    admit: (person) => admitInvited(admission, person),
    logFault,
    clock: effects.clock,
    newChallenge: () => newToken("gc_", effects.random),
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
    wrongPasswords: new AttemptLimiter(effects.clock, wrongPasswords),
    resetMails: new AttemptLimiter(effects.clock, resetMails),
  };
}
