import type { Clock } from "../ports/effects";
import { ExpiringMap } from "../ports/expiring-map";
import type { Credentials, SingleSignOnAnswer } from "../sign-in/credentials";
import type { OpenIdProvider } from "./create-auth";
import { BASE_URL, PROVIDER_ID } from "./library-address";
import { isRefusal } from "./library-error";
import { cookiesOf, type Opened } from "./opened-library";

const STATE_MS = 10 * 60_000;
const SESSION_TOKEN = "set-auth-token";

interface Context {
  readonly openIdProvider: OpenIdProvider | null;
  readonly clock: Clock;
  readonly newChallenge: () => string;
  readonly open: () => Promise<Opened>;
  /** Loads the library anew: it asks the provider about itself once, when it is loaded. */
  readonly forget: () => void;
}

/** Sign-in by authorization code with PKCE (OpenID Connect Core, 3.1), the state bound to whoever began. */
export function createSingleSignOn(
  context: Context,
): Pick<Credentials, "startSingleSignOn" | "finishSingleSignOn"> {
  const cookies = new ExpiringMap<string>(context.clock);
  return {
    async startSingleSignOn() {
      if (!context.openIdProvider) return null;
      const { auth } = await context.open();
      const body = { provider: PROVIDER_ID, callbackURL: "/", disableRedirect: true };
      try {
        const { headers, response } = await auth.api.signInSocial({ body, returnHeaders: true });
        const stateToken = context.newChallenge();
        cookies.set(stateToken, cookiesOf(headers), STATE_MS);
        if (!("url" in response && response.url)) return null;
        return { url: response.url, stateToken, expiresAtMs: context.clock.nowMs() + STATE_MS };
      } catch (error) {
        if (!isRefusal(error)) throw error;
        context.forget();
        return null;
      }
    },
    async finishSingleSignOn(answer) {
      const cookie = cookies.take(answer.stateToken);
      return cookie === null ? null : memberOf(await context.open(), answer, cookie);
    },
  };
}

async function memberOf({ auth, moments }: Opened, { code, state, iss }: SingleSignOnAnswer, cookie: string) {
  const query = new URLSearchParams({ code, state, ...(iss && { iss }) });
  const request = new Request(`${BASE_URL}/callback/${PROVIDER_ID}?${query}`, { headers: { cookie } });
  const reply = await auth.handler(request);
  const [token] = (reply.headers.get(SESSION_TOKEN) ?? "").split(".");
  const session = token ? moments.take(token) : null;
  return session === null ? null : { userId: String(JSON.parse(session).user.id) };
}
