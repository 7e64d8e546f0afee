import type { Gatehouse } from "../programs/start-gatehouse";
import { adminApi } from "./admin-api";
import { createOrganizationClient } from "./organization-client";

/** The password of every member who joined. */
export const PASSWORD = "a horse of wood";

/**
 * Invites a person, and accepts the invitation for them.
 * @returns the token of their first session.
 */
export async function joinMember(
  gateway: Pick<Gatehouse, "baseUrl" | "adminKey">,
  email: string,
  { name = email.split("@")[0], role = "reader" }: { name?: string | undefined; role?: string } = {},
): Promise<{ id: string; token: string }> {
  const { call } = adminApi(gateway);
  const invite = await call<{ token: string }>("POST", "/invites", { email, role, projects: [] });
  const accepted = { token: invite.token, name, password: PASSWORD };
  const { token } = await call<{ token: string }>("POST", "/invites/accept", accepted);
  const { body } = await createOrganizationClient(gateway.baseUrl)("GET", "/me", undefined, token);
  return { id: (body.user as { id: string }).id, token };
}
