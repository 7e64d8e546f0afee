import { fetchWithKey } from "../clients/send";
import type { Gateway } from "./start-gateway";

/**
 * Creates a key of the gateway's first project.
 * @returns the whole key.
 */
export async function createProjectKey({
  url,
  adminKey,
}: Pick<Gateway, "url" | "adminKey">): Promise<string> {
  const address = `${url}/v1/organization/projects`;
  const { data } = await (await fetchWithKey(address, { key: adminKey })).json();
  const request = { key: adminKey, body: { name: "Test" } };
  const { value } = await (await fetchWithKey(`${address}/${data[0].id}/api_keys`, request)).json();
  return value;
}
