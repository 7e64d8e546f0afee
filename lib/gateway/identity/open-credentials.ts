import type { Clock } from "../ports/effects";
import { ExpiringMap } from "../ports/expiring-map";
import { conflict } from "../ports/refusal";
import type { Credentials } from "../sign-in/credentials";
import type { Auth, IdentityOptions } from "./create-auth";
import { isRefusal, refusalCode } from "./library-error";
import { cookiesOf, type Opened } from "./opened-library";
import { createSingleSignOn } from "./single-sign-on";

const CHALLENGE_MS = 10 * 60_000;
/** A code of the app counts in its own half minute, the one before and the one after. */
const CODE_MS = 90_000;

type Options = Omit<IdentityOptions, "database"> & {
  readonly database: unknown;
  readonly clock: Clock;
  readonly newChallenge: () => string;
};

/** Credentials by the sign-in library, which is loaded when somebody first signs in. */
export function openCredentials(options: Options): Credentials {
  const { clock } = options;
  const kept = {
    challenges: new ExpiringMap<{ cookie: string; userId: string }>(clock),
    usedCodes: new ExpiringMap<true>(clock),
    moments: new ExpiringMap<string>(clock),
  };
  let loading: Promise<Auth> | null = null;
  const open = async (): Promise<Opened> => {
    loading ??= import("./create-auth").then(({ createAuth }) =>
      createAuth({ ...options, database: options.database as IdentityOptions["database"] }, kept.moments),
    );
    return { auth: await loading, ...kept };
  };
  const forget = () => {
    loading = null;
  };
  return {
    checkPassword: async (email, password) => checkPassword(await open(), options, email, password),
    answerChallenge: async (challenge, code) => answerChallenge(await open(), challenge, code),
    startTwoFactor: async (userId, password) => startTwoFactor(await open(), userId, password),
    confirmTwoFactor: async (userId, code) => confirmTwoFactor(await open(), userId, code),
    async backupCodesLeft(userId) {
      const { auth } = await open();
      return (await auth.api.viewBackupCodes({ body: { userId } })).backupCodes.length;
    },
    ...createSingleSignOn({ ...options, open, forget }),
  };
}

async function checkPassword(
  { auth, challenges, moments }: Opened,
  { clock, newChallenge }: Options,
  email: string,
  password: string,
): ReturnType<Credentials["checkPassword"]> {
  try {
    const { headers, response } = await auth.api.signInEmail({
      body: { email, password },
      returnHeaders: true,
    });
    if ("token" in response && response.token) {
      moments.delete(response.token);
      return { kind: "member", userId: response.user.id };
    }
    const user = await (await auth.$context).internalAdapter.findUserByEmail(email.toLowerCase());
    const challenge = newChallenge();
    const cookie = cookiesOf(headers);
    challenges.set(challenge, { cookie, userId: String(user?.user.id) }, CHALLENGE_MS);
    return { kind: "challenge", challenge, expiresAtMs: clock.nowMs() + CHALLENGE_MS };
  } catch (error) {
    if (isRefusal(error)) return { kind: "refused" };
    throw error;
  }
}

async function answerChallenge(
  { auth, challenges, usedCodes, moments }: Opened,
  challenge: string,
  code: string,
): ReturnType<Credentials["answerChallenge"]> {
  const known = challenges.get(challenge);
  if (!known) return { kind: "spent" };
  const { cookie, userId } = known;
  const headers = new Headers({ cookie });
  const isAppCode = /^\d{6}$/.test(code);
  // RFC 6238, 5.2: a code that was accepted is not accepted again.
  if (isAppCode && usedCodes.get(`${userId} ${code}`)) return { kind: "refused", userId };
  try {
    const { token } = isAppCode
      ? await auth.api.verifyTOTP({ body: { code }, headers })
      : await auth.api.verifyBackupCode({ body: { code }, headers });
    if (token) moments.delete(token);
    challenges.delete(challenge);
    if (isAppCode) usedCodes.set(`${userId} ${code}`, true, CODE_MS);
    return { kind: "member", userId };
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const wrong = ["INVALID_CODE", "INVALID_BACKUP_CODE"].includes(refusalCode(error));
    if (wrong) return { kind: "refused", userId };
    challenges.delete(challenge);
    return { kind: "spent" };
  }
}

async function startTwoFactor(
  { auth }: Opened,
  userId: string,
  password: string,
): ReturnType<Credentials["startTwoFactor"]> {
  try {
    const draft = await asMember(auth, userId, (headers) =>
      auth.api.enableTwoFactor({ body: { password }, headers }),
    );
    if (draft.method !== "totp") throw new Error("The second factor is to be an app's");
    return { otpauthUri: draft.totpURI, backupCodes: draft.backupCodes };
  } catch (error) {
    if (!isRefusal(error) || refusalCode(error) !== "TOTP_ALREADY_ENABLED") throw error;
    throw conflict("password", "Two-factor sign-in is on already. Turn it off to begin anew.", "in_use");
  }
}

async function confirmTwoFactor({ auth, usedCodes }: Opened, userId: string, code: string): Promise<boolean> {
  try {
    await asMember(auth, userId, (headers) => auth.api.verifyTOTP({ body: { code }, headers }));
    usedCodes.set(`${userId} ${code}`, true, CODE_MS);
    return true;
  } catch (error) {
    if (!isRefusal(error)) throw error;
    if (refusalCode(error) === "INVALID_CODE") return false;
    throw conflict("code", "Nothing has been begun: start two-factor sign-in first.", "in_use");
  }
}

/** Speaks to the library as a member, in a session of its own that ends at once. */
async function asMember<Result>(
  auth: Auth,
  userId: string,
  ask: (headers: Headers) => Promise<Result>,
): Promise<Result> {
  const { internalAdapter } = await auth.$context;
  const { token } = await internalAdapter.createSession(userId);
  try {
    return await ask(new Headers({ authorization: `Bearer ${token}` }));
  } finally {
    await internalAdapter.deleteUserSessions(userId);
  }
}
