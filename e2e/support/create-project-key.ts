import type { Gateway } from "./start-gateway";

/** Creates a key of the gateway's first project. @returns the whole key. */
export async function createProjectKey({
  url,
  adminKey,
}: Pick<Gateway, "url" | "adminKey">): Promise<string> {
  const headers = { authorization: `Bearer ${adminKey}` };
  const address = `${url}/v1/organization/projects`;
  const { data } = await (await fetch(address, { headers })).json();
  const init = { method: "POST", headers, body: JSON.stringify({ name: "Test" }) };
  const { value } = await (await fetch(`${address}/${data[0].id}/api_keys`, init)).json();
  return value;
}
