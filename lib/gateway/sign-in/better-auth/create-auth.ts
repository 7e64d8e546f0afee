import { hkdfSync } from "node:crypto";
import { betterAuth } from "better-auth";
import { bearer } from "better-auth/plugins/bearer";
import { type GenericOAuthConfig, genericOAuth } from "better-auth/plugins/generic-oauth";
import { twoFactor } from "better-auth/plugins/two-factor";
import type { Kysely } from "kysely";
import type { ExpiringMap } from "./expiring-map";
import { BASE_URL, PROVIDER_ID } from "./library-address";
import { signInTables } from "./sign-in-tables";

/** The organization's OpenID provider. */
export interface OpenIdProvider {
  /** The provider's `issuer`, under which `/.well-known/openid-configuration` lies. */
  readonly issuer: string;
  readonly name: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

export interface IdentityOptions {
  readonly database: Kysely<unknown>;
  /** 32 bytes. */
  readonly secret: Uint8Array;
  readonly openIdProvider: OpenIdProvider | null;
  /** The redirect URI for the provider. */
  readonly singleSignOnAddress: string;
  readonly logFault: (where: string, error: unknown) => void;
}

export type Auth = ReturnType<typeof createAuth>;

/**
 * The sign-in library on the gateway's database. It handles second factors and talks to the OpenID provider. Its own
 * routes are not served and it links no identities: the gateway opens its own sessions. The library's sessions exist in
 * memory for one request.
 */
export function createAuth(options: IdentityOptions, sessions: ExpiringMap<string>) {
  return betterAuth({
    appName: "Gatehouse",
    baseURL: BASE_URL,
    secret: Buffer.from(hkdfSync("sha256", options.secret, "", "gatehouse sign-in", 32)).toString("base64"),
    database: { db: options.database, type: "sqlite" },
    secondaryStorage: {
      get: (name) => sessions.get(name),
      set: (name, value, seconds = 600) => sessions.set(name, value, seconds * 1000),
      delete: (name) => sessions.delete(name),
      getAndDelete: (name) => sessions.take(name),
      increment: (name, seconds) => sessions.increment(name, seconds * 1000),
    },
    ...signInTables,
    account: { ...signInTables.account, accountLinking: { enabled: false } },
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      maxPasswordLength: 200,
      // The gateway verifies passwords itself, before it calls the library.
      password: { verify: async () => true },
    },
    // The gateway counts attempts itself.
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    logger: {
      log: (level, message, ...details) => {
        if (level === "error") options.logFault("sign-in", [message, ...details].map(String).join(" "));
      },
    },
    plugins: [
      bearer(),
      twoFactor({ ...signInTables.twoFactor, issuer: "Gatehouse" }),
      genericOAuth({ config: openIdConfiguration(options) }),
    ],
  });
}

function openIdConfiguration({ openIdProvider, singleSignOnAddress }: IdentityOptions): GenericOAuthConfig[] {
  if (!openIdProvider) return [];
  const { issuer, name, clientId, clientSecret } = openIdProvider;
  return [
    {
      providerId: PROVIDER_ID,
      name,
      clientId,
      clientSecret,
      discoveryUrl: `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`,
      requireIdTokenVerification: true,
      redirectURI: singleSignOnAddress,
      scopes: ["openid", "email", "profile"],
      pkce: true,
      disableSignUp: true,
    },
  ];
}
