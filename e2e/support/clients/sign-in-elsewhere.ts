import { PASSWORD } from "./join-member";
import { send } from "./send";

/**
 * Signs a member in over the API, as another device.
 * @returns the session's token.
 */
export async function signInElsewhere(
  { baseUrl }: { baseUrl: string },
  { email, password = PASSWORD, userAgent }: { email: string; password?: string; userAgent: string },
): Promise<string> {
  const { body } = await send(`${baseUrl}/organization/sign_in`, {
    method: "POST",
    body: { email, password },
    headers: { "user-agent": userAgent },
  });
  return String(body.token);
}
