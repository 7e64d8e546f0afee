import { MINUTE_MS } from "@/lib/contract/durations";
import type { Write } from "../../changes/change";
import type { Transaction } from "../../changes/transaction";
import type { ClockAndRandom } from "../../clock";
import { conflict } from "../../refusal";
import { createRandomText } from "../../secrets/new-token";
import type { Credentials } from "../credentials";
import type { Auth, IdentityOptions, OpenIdProvider } from "./create-auth";
import { ExpiringMap } from "./expiring-map";
import { sealTokens } from "./seal-token";
import { createSingleSignOn } from "./single-sign-on";

/** The library requires a password and accepts any: the gateway has already verified the member's own. */
const SHOWN_BEFORE = "shown before";

const CHALLENGE_MS = 10 * MINUTE_MS;

type Options = Omit<IdentityOptions, "database"> & {
  /** A connection that can only read. */
  readonly reads: unknown;
  /** The queries of a unit of work. */
  readonly within: (transaction: Transaction) => unknown;
  readonly runtime: ClockAndRandom;
};

/** Implements credentials with the sign-in library, which is loaded on first use. */
export function openCredentials(options: Options): Credentials {
  const { clock, random } = options.runtime;
  const sessions = new ExpiringMap<string>(clock);
  let loading: Promise<Auth> | null = null;
  const openOn = async (database: unknown, openIdProvider: OpenIdProvider | null): Promise<Auth> => {
    const { createAuth } = await import("./create-auth");
    return createAuth(
      { ...options, openIdProvider, database: database as IdentityOptions["database"] },
      sessions,
    );
  };
  const openAuth = (): Promise<Auth> => {
    loading ??= openOn(options.reads, options.openIdProvider);
    return loading;
  };
  /** Lets the library write in a unit of work: it gets only that unit's queries. */
  const writing = async <Result>(write: Write, ask: (auth: Auth) => Promise<Result>): Promise<Result> => {
    // Loaded before the unit of work begins, since the unit may wait for the store only.
    await openAuth();
    return write(async (transaction) => ask(await openOn(options.within(transaction), null)));
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
      const challenge = challenges.close({ id: createRandomText(random), userId, expiresAtMs });
      return { challenge, expiresAtMs };
    },
    readChallenge: (challenge) => challenges.open(challenge, clock.nowMs()),
    checkCode: (write, userId, code) => writing(write, (auth) => checkCode(auth, userId, code)),
    startTwoFactor: (write, userId) => writing(write, (auth) => startTwoFactor(auth, userId)),
    confirmTwoFactor: (write, userId, code) => writing(write, (auth) => confirmTwoFactor(auth, userId, code)),
    async backupCodesLeft(userId) {
      const auth = await openAuth();
      return (await auth.api.viewBackupCodes({ body: { userId } })).backupCodes.length;
    },
    ...createSingleSignOn({ ...options, open: openAuth, forget }),
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
    // The same backup code may be used concurrently.
    if (isRefusal(error)) return false;
    throw error;
  }
}

async function startTwoFactor(auth: Auth, userId: string): ReturnType<Credentials["startTwoFactor"]> {
  try {
    const draft = await asMember(auth, userId, (headers) =>
      auth.api.enableTwoFactor({ body: { password: SHOWN_BEFORE }, headers }),
    );
    if (draft.method !== "totp") throw new Error("The second factor is to be an app's");
    return { otpauthUri: draft.totpURI, backupCodes: draft.backupCodes };
  } catch (error) {
    if (!isRefusal(error) || refusalCode(error) !== "TOTP_ALREADY_ENABLED") throw error;
    throw conflict("password", "Two-factor sign-in is on already. Turn it off to start over.", "in_use");
  }
}

async function confirmTwoFactor(auth: Auth, userId: string, code: string): Promise<boolean> {
  try {
    await asMember(auth, userId, (headers) => auth.api.verifyTOTP({ body: { code }, headers }));
    return true;
  } catch (error) {
    if (!isRefusal(error)) throw error;
    if (refusalCode(error) === "INVALID_CODE") return false;
    throw conflict("code", "The setup of two-factor sign-in hasn't been started. Start it first.", "in_use");
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

/** The sign-in library's own refusals have a status and a code; any other error is a fault. */
interface LibraryError extends Error {
  readonly statusCode: number;
  readonly body?: { readonly code?: string };
}

/** Whether the sign-in library refused instead of failing. */
function isRefusal(error: unknown): error is LibraryError {
  return error instanceof Error && "statusCode" in error && Number(error.statusCode) < 500;
}

function refusalCode(error: LibraryError): string {
  return error.body?.code ?? "";
}
