import { createOrganizationClient } from "../clients/organization-client";
import { send } from "../clients/send";
import { type Person, serveOpenIdProvider } from "../servers/openid-provider";
import { serveGateway } from "./serve-gateway";

export const ANSWER_ADDRESS = "http://console.test/sign-in/answer";

/** A gateway with a real OpenID provider, whose people can change at any time. */
export async function serveSingleSignOn(people: Record<string, Person>) {
  const provider = await serveOpenIdProvider(ANSWER_ADDRESS, people);
  const gateway = await serveGateway({ signIn: { openIdProvider: provider.settings } });
  const ask = createOrganizationClient(gateway.baseUrl);
  let count = 0;
  const start = async () => {
    const { status, body } = await ask("POST", "/sign_in/single_sign_on", {});
    if (status !== 200) throw new Error(`Single sign-on did not begin: ${status}`);
    return { url: String(body.url), state_token: String(body.state_token) };
  };
  return {
    gateway,
    provider,
    ask,
    start,
    /** Returns the provider's answer for a person who starts a sign-in here. */
    async answerFor(login: string) {
      const { url, state_token } = await start();
      const { searchParams } = await provider.signIn(url, login);
      return { state_token, ...Object.fromEntries(searchParams) };
    },
    /** Uses a new client address each time, unless one is given. */
    finish: (answer: object, address = `10.0.0.${++count}`) =>
      send(`${gateway.baseUrl}/organization/sign_in/single_sign_on/answer`, {
        method: "POST",
        body: answer,
        headers: { "x-test-address": address },
      }),
    who: async (token: unknown) => (await ask("GET", "/me", undefined, String(token))).body,
    async close() {
      await gateway.close();
      await provider.close();
    },
  };
}
