import { generateKeyPairSync, type KeyObject, sign } from "node:crypto";

/** What the provider says next. Each part is what an honest provider would say until a test replaces it. */
export interface ProviderScript {
  /** Changes to the ID token's claims; undefined leaves a claim out. */
  claims: Record<string, unknown>;
  header: Record<string, unknown>;
  /** Changes to `/.well-known/openid-configuration`. */
  metadata: Record<string, unknown>;
  /** Changes the encoded ID token. */
  forge: (idToken: string) => string;
  /** Replaces the reply of an endpoint. */
  replies: Partial<
    Record<"configuration" | "token" | "keys" | "userinfo", () => Response | Promise<Response>>
  >;
}

const honest = (): ProviderScript => ({
  claims: {},
  header: {},
  metadata: {},
  forge: (idToken) => idToken,
  replies: {},
});

const CLIENT = { name: "Example login", clientId: "gatehouse", clientSecret: "client secret" };

/** An OpenID provider that says what a test wants it to. Its address is the issuer of `settings`. */
export function serveScriptedOpenIdProvider() {
  let key = newKey("first");
  let published = [key];
  let script = honest();
  let nonce = "";
  const requests: { path: string; body: URLSearchParams; authorization: string | null }[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    idleTimeout: 0,
    async fetch(request) {
      const { pathname } = new URL(request.url);
      const body = new URLSearchParams(await request.text());
      requests.push({ path: pathname, body, authorization: request.headers.get("authorization") });
      return answer(pathname);
    },
  });
  const issuer = `http://127.0.0.1:${server.port}`;
  const answer = (path: string): Response | Promise<Response> => {
    const { replies, metadata } = script;
    if (path.startsWith("/.well-known"))
      return replies.configuration?.() ?? Response.json({ ...describeProvider(issuer), ...metadata });
    if (path === "/keys") return replies.keys?.() ?? Response.json({ keys: published.map(toJwk) });
    const tokens = { access_token: "access", token_type: "Bearer", expires_in: 60 };
    if (path === "/token")
      return (
        replies.token?.() ?? Response.json({ ...tokens, id_token: signIdToken(script, key, issuer, nonce) })
      );
    return replies.userinfo?.() ?? new Response(null, { status: 404 });
  };
  return {
    settings: { issuer, ...CLIENT },
    requests,
    /** Says something else from now on, and is honest in everything that is not named. */
    say(said: Partial<ProviderScript>) {
      script = { ...honest(), ...said };
    },
    /** Signs with a new key from now on; the old one is withdrawn unless `isKept`. */
    rotateKey(isKept: boolean) {
      key = newKey("second");
      published = isKept ? [...published, key] : [key];
    },
    /** Signs with a key that it doesn't publish, under the name of the one that it does. */
    stealName() {
      key = { ...newKey("stolen"), kid: key.kid };
    },
    publishOwn() {
      published = [key];
    },
    /** The answer that the browser would bring back from the provider's page. */
    answer(signInUrl: string, changes: Record<string, string> = {}) {
      const asked = new URL(signInUrl).searchParams;
      nonce = asked.get("nonce") ?? "";
      return { state: asked.get("state") ?? "", code: "code", ...changes };
    },
    close: () => server.stop(true),
  };
}

function signIdToken(
  { claims, header, forge }: ProviderScript,
  key: Key,
  issuer: string,
  nonce: string,
): string {
  const iat = Math.floor(Date.now() / 1000);
  const person = { sub: "subject", email: "ada@example.com", email_verified: true, name: "Ada" };
  const token = { iss: issuer, aud: CLIENT.clientId, ...person, nonce, iat, exp: iat + 60, ...claims };
  const signed = [{ alg: "RS256", kid: key.kid, ...header }, token].map(encode).join(".");
  return forge(`${signed}.${sign("sha256", Buffer.from(signed), key.privateKey).toString("base64url")}`);
}

function describeProvider(issuer: string) {
  return {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/keys`,
    userinfo_endpoint: `${issuer}/userinfo`,
    id_token_signing_alg_values_supported: ["RS256"],
    token_endpoint_auth_methods_supported: ["client_secret_basic", "client_secret_post"],
  };
}

interface Key {
  readonly kid: string;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

function newKey(kid: string): Key {
  return { kid, ...generateKeyPairSync("rsa", { modulusLength: 2048 }) };
}

function toJwk({ kid, publicKey }: Key) {
  return { ...publicKey.export({ format: "jwk" }), kid, alg: "RS256", use: "sig" };
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}
