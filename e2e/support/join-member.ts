import type { User } from "@/lib/contract/operations/users";
import { adminApi } from "./admin-api";
import { PASSWORD } from "./member-client";
import type { Gatehouse } from "./start-gatehouse";

/** Accepts an invitation as its page does. @returns the token of the new session. */
async function acceptInvite(
  gatehouse: Pick<Gatehouse, "baseUrl" | "adminKey">,
  token: string,
  name: string,
): Promise<string> {
  const draft = { token, name, password: PASSWORD };
  return (await adminApi(gatehouse).call<{ token: string }>("POST", "/invites/accept", draft)).token;
}

/** Creates a member over the API. @returns the token of their first session. */
export async function joinMember(
  gatehouse: Pick<Gatehouse, "baseUrl" | "adminKey">,
  email: string,
  name: string,
  role = "reader",
): Promise<{ id: string; session: string }> {
  const { call } = adminApi(gatehouse);
  const { token } = await call<{ token: string }>("POST", "/invites", { email, role, projects: [] });
  const session = await acceptInvite(gatehouse, token, name);
  const listed = await call<{ data: User[] }>("GET", `/users?emails=${encodeURIComponent(email)}`);
  return { id: listed.data[0]?.id ?? "", session };
}
