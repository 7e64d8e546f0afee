import type { Effects } from "../../ports/effects";
import { conflict } from "../../ports/refusal";
import { randomText } from "../../secrets/new-token";
import type { Credentials } from "../credentials";
import type { Auth, IdentityOptions } from "./create-auth";
import { ExpiringMap } from "./expiring-map";
import { isRefusal, refusalCode } from "./library-error";
import { sealTokens } from "./seal-token";
import { createSingleSignOn } from "./single-sign-on";

const CHALLENGE_MS = 10 * 60_000;

type Options = Omit<IdentityOptions, "database"> & { readonly database: unknown; readonly effects: Effects };

/** Implements credentials with the sign-in library, which is loaded on first use. */
export function openCredentials(options: Options): Credentials {
  const { clock, random } = options.effects;
  const sessions = new ExpiringMap<string>(clock);
  let loading: Promise<Auth> | null = null;
  const open = (): Promise<Auth> => {
    loading ??= import("./create-auth").then(({ createAuth }) =>
      createAuth({ ...options, database: options.database as IdentityOptions["database"] }, sessions),
    );
    return loading;
  };
  const forget = () => {
    loading = null;
  };
  const challenges = sealTokens<{ id: string; userId: string; expiresAtMs: number }>("sign-in challenge", {
    secret: options.secret,
    random,
  });
  return {
    createChallenge(userId) {
      const expiresAtMs = clock.nowMs() + CHALLENGE_MS;
      const challenge = challenges.close({ id: randomText(random), userId, expiresAtMs });
      return { challenge, expiresAtMs };
    },
    readChallenge: (challenge) => challenges.open(challenge, clock.nowMs()),
    checkCode: async (userId, code) => checkCode(await open(), userId, code),
    startTwoFactor: async (userId, password) => startTwoFactor(await open(), userId, password),
    confirmTwoFactor: async (userId, code) => confirmTwoFactor(await open(), userId, code),
    async backupCodesLeft(userId) {
      const auth = await open();
      return (await auth.api.viewBackupCodes({ body: { userId } })).backupCodes.length;
    },
    ...createSingleSignOn({ ...options, open, forget }),
  };
}

async function checkCode(auth: Auth, userId: string, code: string): Promise<boolean> {
  try {
    await asMember(auth, userId, (headers) =>
      /^\d{6}$/.test(code)
        ? auth.api.verifyTOTP({ body: { code }, headers })
        : auth.api.verifyBackupCode({ body: { code }, headers }),
    );
    return true;
  } catch (error) {
    // The same backup code may be being spent at this moment.
    if (isRefusal(error)) return false;
    throw error;
  }
}

async function startTwoFactor(
  auth: Auth,
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

async function confirmTwoFactor(auth: Auth, userId: string, code: string): Promise<boolean> {
  try {
    await asMember(auth, userId, (headers) => auth.api.verifyTOTP({ body: { code }, headers }));
    return true;
  } catch (error) {
    if (!isRefusal(error)) throw error;
    if (refusalCode(error) === "INVALID_CODE") return false;
    throw conflict("code", "Nothing has been begun: start two-factor sign-in first.", "in_use");
  }
}

/** Calls the library as a member, in a session that ends with the call. */
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
    await internalAdapter.deleteSession(token);
  }
}
