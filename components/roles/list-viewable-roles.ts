import "server-only";
import { callAsOneself } from "@/lib/console/gateway/gateway-client";

/** The roles of the organization that the person may look at, whatever they look at now. */
export async function listViewableRoles(): Promise<{ id: string; name: string }[]> {
  const roles = await callAsOneself("listRoles", { query: { limit: "1000" } });
  return roles.ok ? roles.data.data.map(({ id, name }) => ({ id, name })) : [];
}
