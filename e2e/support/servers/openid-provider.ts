import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Provider } from "oidc-provider";

export interface Person {
  readonly email?: string;
  /** The raw claim, valid or not. */
  readonly email_verified?: unknown;
  readonly name: string;
}

/** A real OpenID provider on a free port; people are identified by the login that they type. */
export async function serveOpenIdProvider(redirectUri: string, people: Readonly<Record<string, Person>>) {
  const server = createServer();
  await new Promise<void>((done) => {
    server.listen(0, "127.0.0.1", done);
  });
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = {
    client_id: "gatehouse",
    client_secret: "a secret of the client's",
    redirect_uris: [redirectUri],
  };
  const provider = new Provider(issuer, {
    clients: [client],
    claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name"] },
    conformIdTokenClaims: false,
    findAccount: (_, id) => ({ accountId: id, claims: () => ({ sub: id, ...people[id] }) }),
  });
  server.on("request", provider.callback());
  return {
    settings: {
      issuer,
      name: "Example login",
      clientId: client.client_id,
      clientSecret: client.client_secret,
    },
    /**
     * Goes through the provider's pages as a browser would.
     * @returns the address that it redirects the browser to.
     */
    signIn: (url: string, login: string) => walk(url, login, redirectUri),
    close: () =>
      new Promise<void>((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

async function walk(start: string, login: string, redirectUri: string): Promise<URL> {
  const cookies = new Map<string, string>();
  let [url, form]: [string, Record<string, string> | null] = [start, null];
  for (let step = 0; step < 12; step++) {
    const reply: Response = await fetch(url, {
      redirect: "manual",
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; ") },
      ...(form && { method: "POST", body: new URLSearchParams(form) }),
    });
    for (const cookie of reply.headers.getSetCookie()) {
      const [name = "", value = ""] = cookie.split(";")[0]?.split("=") ?? [];
      cookies.set(name, value);
    }
    const location = reply.headers.get("location");
    if (location) {
      url = new URL(location, url).href;
      form = null;
      if (url.startsWith(redirectUri)) return new URL(url);
      continue;
    }
    const page = await reply.text();
    const action = /action="([^"]+)"/.exec(page)?.[1];
    if (!action) throw new Error(`The provider asks for nothing at ${url}: ${page.slice(0, 500)}`);
    url = new URL(action, url).href;
    form = page.includes('name="login"')
      ? { prompt: "login", login, password: "any" }
      : { prompt: "consent" };
  }
  throw new Error("The provider never sent the browser back");
}
