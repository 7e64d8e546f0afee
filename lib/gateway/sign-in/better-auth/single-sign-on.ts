import { MINUTE_MS } from "@/lib/contract/durations";
import type { ClockAndRandom } from "../../clock";
import { createRandomText } from "../../secrets/new-token";
import type { AuthenticatedPerson, Credentials, LinkRequest, SingleSignOnAnswer } from "../credentials";
import type { Auth, OpenIdProvider } from "./create-auth";
import { PROVIDER_ID } from "./library-address";
import { sealTokens } from "./seal-token";

const STATE_MS = 10 * MINUTE_MS;

interface Context {
  readonly openIdProvider: OpenIdProvider | null;
  readonly singleSignOnAddress: string;
  readonly secret: Uint8Array;
  readonly runtime: ClockAndRandom;
  readonly open: () => Promise<Auth>;
  /** Reloads the library, which reads the provider's configuration only when it is loaded. */
  readonly forget: () => void;
  readonly logFault: (where: string, error: unknown) => void;
}

/** The parameters with which the browser was sent to the provider. */
interface Question {
  readonly state: string;
  readonly codeVerifier: string;
  readonly nonce: string;
  readonly link: LinkRequest | null;
  readonly expiresAtMs: number;
}

/**
 * Sign-in by authorization code with PKCE and a nonce (OpenID Connect Core, 3.1), bound to the browser that started it.
 * The library talks to the provider; the gateway decides which member the identity belongs to, and whether it is
 * linked.
 */
export function createSingleSignOn(
  context: Context,
): Pick<Credentials, "startSingleSignOn" | "finishSingleSignOn"> {
  const { runtime, singleSignOnAddress: redirectURI, logFault } = context;
  const questions = sealTokens<Question>("single sign-on", { ...context, random: runtime.random });
  const secret = () => createRandomText(runtime.random);
  return {
    async startSingleSignOn(link) {
      const provider = await openProvider(context);
      if (!provider) return null;
      const expiresAtMs = runtime.clock.nowMs() + STATE_MS;
      const question = { state: secret(), codeVerifier: secret(), nonce: secret(), link, expiresAtMs };
      const { state, codeVerifier, nonce: idTokenNonce } = question;
      const url = await provider.createAuthorizationURL({ state, codeVerifier, idTokenNonce, redirectURI });
      return { url: String(url), stateToken: questions.close(question), expiresAtMs };
    },
    async finishSingleSignOn(answer, useState) {
      const question = questions.open(answer.stateToken, runtime.clock.nowMs());
      if (!question || question.state !== answer.state) return null;
      const provider = await openProvider(context);
      // The provider may answer one question with several codes, each valid once.
      if (!(await useState(question.state))) return null;
      try {
        return provider && (await readPerson(provider, question, answer, redirectURI));
      } catch (error) {
        if (!isRefusedCode(error)) logFault("single sign-on", error);
        return null;
      }
    },
  };
}

type Provider = NonNullable<Awaited<ReturnType<typeof openProvider>>>;

/** Null if the provider's configuration could not be read. */
async function openProvider({ openIdProvider, open, forget }: Context) {
  if (!openIdProvider) return null;
  const { socialProviders } = await (await open()).$context;
  const provider = socialProviders.find(({ id }) => id === PROVIDER_ID);
  if (!provider) forget();
  return provider ?? null;
}

async function readPerson(
  provider: Provider,
  { codeVerifier, nonce, link }: Question,
  { code, iss }: SingleSignOnAnswer,
  redirectURI: string,
): Promise<AuthenticatedPerson | null> {
  const { issuer } = provider;
  // RFC 9207: an answer with an issuer must come from that issuer.
  if (!issuer || (iss !== null && iss !== issuer)) return null;
  const tokens = await provider.validateAuthorizationCode({ code, codeVerifier, redirectURI });
  if (!tokens?.idToken) return null;
  // Verifies the ID token: signature, issuer, audience, time and nonce.
  const info = await provider.getUserInfo({ ...tokens, expectedIdTokenNonce: nonce });
  const claims = (info?.data ?? {}) as Record<string, unknown>;
  const { sub: subject, email, email_verified: isVerified, name } = claims;
  // OpenID Connect Core, 5.3.2: claims about another subject are not used.
  if (typeof subject !== "string" || subject === "" || subject !== readSubject(tokens.idToken)) return null;
  return {
    issuer,
    subject,
    // Only the boolean true counts: the string "false" is truthy.
    email: isVerified === true && typeof email === "string" ? email.toLowerCase() : null,
    name: typeof name === "string" && name !== "" ? name : null,
    link,
  };
}

/** Whether the provider refuses the code, as it does one that a stranger made up (RFC 6749, 5.2). */
function isRefusedCode(error: unknown): boolean {
  return (error as { readonly error?: unknown } | null)?.error === "invalid_grant";
}

/** The claims of a verified ID token. */
function readSubject(idToken: string): unknown {
  const [, payload = ""] = idToken.split(".");
  return JSON.parse(Buffer.from(payload, "base64url").toString("utf8")).sub;
}
