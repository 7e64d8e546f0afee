import type {
  Configuration,
  CustomFetchOptions,
  IDToken,
  ServerMetadata,
  UserInfoResponse,
} from "openid-client";
import { MINUTE_MS } from "@/lib/contract/durations";
import type { Clock } from "../clock";
import type { Identity } from "./credential-store.sql";

/** The organization's OpenID provider. */
export interface OpenIdSettings {
  /** The provider's `issuer`, under which `/.well-known/openid-configuration` lies. */
  readonly issuer: string;
  readonly name: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

/** What the gateway asks with, and expects the answer to repeat. Each is random and used once. */
export interface SignOnProofs {
  readonly state: string;
  readonly codeVerifier: string;
  readonly nonce: string;
}

/** The provider's answer, as it comes in the browser's address. */
export interface ProviderAnswer {
  readonly state: string;
  readonly code: string;
  readonly iss: string | null;
}

/** The person that the provider authenticated. */
export interface AuthenticatedPerson extends Identity {
  /** The address in lower case; null unless the provider says that it verified it. */
  readonly email: string | null;
  readonly name: string | null;
}

/** The claims that are read of a person, from the ID token or the userinfo endpoint. */
type Claims = IDToken | UserInfoResponse;

/** For this long the provider's endpoints are remembered. */
const METADATA_MS = 10 * MINUTE_MS;
/** A hostile or broken provider must not fill the memory or hold a sign-in for long. */
const MAX_REPLY_BYTES = 1_000_000;
const MAX_REPLY_SECONDS = 10;

/**
 * Talks to the OpenID provider: authorization code with PKCE, state and nonce (OpenID Connect Core, 3.1). The library
 * checks the answer and the ID token; it keeps no sessions and decides nothing about members.
 */
export class OpenIdProvider {
  #metadata: { readonly loading: Promise<ServerMetadata>; readonly untilMs: number } | null = null;

  constructor(
    private readonly settings: OpenIdSettings,
    /** The redirect address, to which the provider sends browsers back. */
    private readonly answerAddress: string,
    private readonly clock: Clock,
    private readonly maxReplySeconds = MAX_REPLY_SECONDS,
  ) {}

  get name(): string {
    return this.settings.name;
  }

  /** The address of the provider's page. @throws Error if the provider is unreachable or its configuration is wrong. */
  async buildSignInUrl({ state, codeVerifier, nonce }: SignOnProofs): Promise<string> {
    const library = await import("openid-client");
    const url = library.buildAuthorizationUrl(await this.#configure(), {
      redirect_uri: this.#redirectUrl().href,
      scope: "openid email profile",
      code_challenge: await library.calculatePKCECodeChallenge(codeVerifier),
      code_challenge_method: "S256",
      state,
      nonce,
    });
    return url.href;
  }

  /**
   * The person that an answer stands for. Checks the answer's state and issuer, and the ID token's signature, issuer,
   * audience, time and nonce.
   * @throws Error for any other answer.
   */
  async readPerson({ state, code, iss }: ProviderAnswer, proofs: SignOnProofs): Promise<AuthenticatedPerson> {
    const library = await import("openid-client");
    const configuration = await this.#configure();
    const url = this.#redirectUrl();
    url.search = new URLSearchParams({ state, code, ...(iss !== null && { iss }) }).toString();
    const tokens = await library.authorizationCodeGrant(configuration, url, {
      expectedState: proofs.state,
      expectedNonce: proofs.nonce,
      pkceCodeVerifier: proofs.codeVerifier,
      idTokenExpected: true,
    });
    const idToken = tokens.claims();
    if (!idToken?.sub) throw new Error("The provider's ID token names nobody");
    const { userinfo_endpoint } = configuration.serverMetadata();
    // Many providers put the address in the userinfo only. The address and whether it is verified come from one place.
    const isTold = typeof idToken.email === "string" && idToken.email_verified !== undefined;
    const info =
      isTold || userinfo_endpoint === undefined
        ? idToken
        : await library.fetchUserInfo(configuration, tokens.access_token, idToken.sub);
    return describePerson(idToken, info);
  }

  /** Brings its own key cache, so that each sign-in reads the provider's keys: a rotated one is known at once. */
  async #configure(): Promise<Configuration> {
    const library = await import("openid-client");
    const metadata = await this.#readMetadata();
    const { clientId, clientSecret, issuer } = this.settings;
    const methods = metadata.token_endpoint_auth_methods_supported ?? ["client_secret_post"];
    const authentication = methods.includes("client_secret_post")
      ? library.ClientSecretPost(clientSecret)
      : library.ClientSecretBasic(clientSecret);
    const configuration = new library.Configuration({ ...metadata }, clientId, clientSecret, authentication);
    configuration[library.customFetch] = fetchBounded;
    configuration.timeout = this.maxReplySeconds;
    // Without it the library trusts TLS and does not verify the signature.
    library.enableNonRepudiationChecks(configuration);
    if (isOnThisMachine(issuer)) library.allowInsecureRequests(configuration);
    return configuration;
  }

  #readMetadata(): Promise<ServerMetadata> {
    if (this.#metadata && this.#metadata.untilMs > this.clock.monotonicMs()) return this.#metadata.loading;
    const untilMs = this.clock.monotonicMs() + METADATA_MS;
    const metadata = { loading: this.#discover(), untilMs };
    this.#metadata = metadata;
    metadata.loading.catch(() => {
      if (this.#metadata === metadata) this.#metadata = null;
    });
    return metadata.loading;
  }

  async #discover(): Promise<ServerMetadata> {
    const library = await import("openid-client");
    const { issuer, clientId } = this.settings;
    const url = `${withoutSlash(issuer)}/.well-known/openid-configuration`;
    const configuration = await library
      .discovery(new URL(url), clientId, undefined, library.None(), {
        [library.customFetch]: fetchBounded,
        timeout: this.maxReplySeconds,
        execute: isOnThisMachine(issuer) ? [library.allowInsecureRequests] : [],
      })
      .catch((error: unknown) => {
        throw new Error(`${url} can't be read: ${describeFault(error)}`);
      });
    const metadata = configuration.serverMetadata();
    // OpenID Connect Discovery, 4.3. Only a slash at the end may differ, since people copy the address with or without.
    if (withoutSlash(metadata.issuer) !== withoutSlash(issuer))
      throw new Error(
        `${url} names the issuer ${metadata.issuer}: set GATEHOUSE_OIDC_ISSUER to the provider's own`,
      );
    for (const field of ["authorization_endpoint", "token_endpoint", "jwks_uri"] as const)
      if (metadata[field] === undefined) throw new Error(`${url} has no ${field}`);
    return metadata;
  }

  #redirectUrl(): URL {
    return new URL(this.answerAddress);
  }
}

/** Whether the provider refuses the code, as it does one that a stranger made up (RFC 6749, 5.2). */
export function isRefusedCode(error: unknown): boolean {
  return (error as { readonly error?: unknown } | null)?.error === "invalid_grant";
}

/** What went wrong, without the claims and tokens that the library's errors carry. */
export function describeFault(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  return cause instanceof Error ? `${error.message}: ${cause.message}` : error.message;
}

/** Whether an address is plain HTTP on this machine, as in tests. Any other provider must have HTTPS. */
export function isOnThisMachine(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === "http:" && ["localhost", "127.0.0.1", "[::1]"].includes(hostname);
}

function describePerson(idToken: IDToken, info: Claims): AuthenticatedPerson {
  const { iss: issuer, sub: subject } = idToken;
  const { email, email_verified: isVerified, name = idToken.name } = info;
  return {
    issuer,
    subject,
    // Only the boolean true counts: the string "false" is truthy.
    email: isVerified === true && typeof email === "string" ? email.toLowerCase() : null,
    name: typeof name === "string" && name !== "" ? name : null,
  };
}

/** Follows no redirects, as the library demands. @throws Error for a reply that is too long. */
async function fetchBounded(url: string, options: CustomFetchOptions): Promise<Response> {
  const response = await fetch(url, options as RequestInit);
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of response.body ?? []) {
    length += piece.length;
    if (length > MAX_REPLY_BYTES) throw new Error(`${url} sent more than ${MAX_REPLY_BYTES} bytes`);
    pieces.push(piece);
  }
  const { status, headers } = response;
  return new Response(length > 0 ? Buffer.concat(pieces) : null, { status, headers });
}

function withoutSlash(issuer: string): string {
  return issuer.replace(/\/$/, "");
}
