import { send } from "./send";

/** A client of the organization's operations, each called with a key or a session's token, or without either. */
export function createOrganizationClient(baseUrl: string) {
  return (method: "GET" | "POST" | "DELETE", path: string, body?: object, key?: string) =>
    send(`${baseUrl}/organization${path}`, { method, body, key });
}
