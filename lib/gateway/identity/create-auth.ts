import { hkdfSync } from "node:crypto";
import { betterAuth } from "better-auth";
import { bearer } from "better-auth/plugins/bearer";
import { type GenericOAuthConfig, genericOAuth } from "better-auth/plugins/generic-oauth";
import { twoFactor } from "better-auth/plugins/two-factor";
import type { Kysely } from "kysely";
import type { ExpiringMap } from "../ports/expiring-map";
import { hashPassword, verifyPassword } from "../ports/password-hash";
import { BASE_URL, PROVIDER_ID } from "./library-address";
import { signInTables } from "./sign-in-tables";

/** The organization's OpenID provider. */
export interface OpenIdProvider {
  /** Its `issuer`, under which `/.well-known/openid-configuration` lies. */
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
  /** Where the provider sends browsers back to. */
  readonly singleSignOnAddress: string;
  /** Sees to it that the owner of an address is a member, where they are invited. */
  readonly admit: (person: { email: string; name: string }) => Promise<void>;
  readonly logFault: (where: string, error: unknown) => void;
}

export type Auth = ReturnType<typeof createAuth>;

/**
 * The sign-in library on the gateway's own database. What it would keep for a moment (sessions, challenges, states) is kept
 * in memory: the gateway opens sessions of its own.
 */
export function createAuth(options: IdentityOptions, moments: ExpiringMap<string>) {
  return betterAuth({
    appName: "Gatehouse",
    baseURL: BASE_URL,
    secret: Buffer.from(hkdfSync("sha256", options.secret, "", "gatehouse sign-in", 32)).toString("base64"),
    database: { db: options.database, type: "sqlite" },
    secondaryStorage: {
      get: (name) => moments.get(name),
      set: (name, value, seconds = 600) => moments.set(name, value, seconds * 1000),
      delete: (name) => moments.delete(name),
      getAndDelete: (name) => moments.take(name),
      increment: (name, seconds) => moments.increment(name, seconds * 1000),
    },
    ...signInTables,
    account: {
      ...signInTables.account,
      accountLinking: { enabled: true, trustedProviders: [PROVIDER_ID] },
    },
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      maxPasswordLength: 200,
      password: { hash: hashPassword, verify: ({ hash, password }) => verifyPassword(password, hash) },
    },
    databaseHooks: {
      account: {
        // Who somebody is was all that was asked of the provider: its tokens are not kept.
        create: { before: async (account) => ({ data: { ...account, ...noTokens } }) },
        update: { before: async (account) => ({ data: { ...account, ...noTokens } }) },
      },
    },
    // The gateway counts attempts itself, by member.
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

const noTokens = { accessToken: null, refreshToken: null, idToken: null };

function openIdConfiguration({
  openIdProvider,
  singleSignOnAddress,
  admit,
}: IdentityOptions): GenericOAuthConfig[] {
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
      mapProfileToUser: async (profile) => {
        // An address the provider itself doubts proves nothing. Some never say: they are trusted with their own.
        if (profile.email_verified === false || typeof profile.email !== "string") return { email: null };
        const email = profile.email.toLowerCase();
        await admit({ email, name: String(profile.name ?? email) });
        return { email, emailVerified: true };
      },
    },
  ];
}
