import { send } from "./send";

interface Gateway {
  readonly baseUrl: string;
  admin<Reply>(method: string, path: string, body?: object): Promise<Reply>;
}

/** The replies' fields that tests read. */
interface ScimReply {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>> & {
    readonly id: string;
    readonly Resources: ScimReply["body"][];
  };
}

export type Directory = Awaited<ReturnType<typeof openDirectory>>;

/** A directory with a token of its own, which sends what Okta and Entra do. */
export async function openDirectory(gateway: Gateway, seconds = 86_400) {
  const token = await gateway.admin<{ id: string; value: string }>("POST", "/organization/admin_api_keys", {
    name: "Okta",
    role: "directory",
    expires_in_seconds: seconds,
  });
  const origin = new URL(gateway.baseUrl).origin;
  const ask = async (method: string, path: string, body?: object, key = token.value): Promise<ScimReply> => {
    const headers = body && { "content-type": "application/scim+json" };
    const { status, body: reply } = await send(`${origin}/scim/v2${path}`, {
      method,
      key,
      ...(body && { body, headers }),
    });
    return { status, body: reply as ScimReply["body"] };
  };
  const find = (kind: string, filter: string) => ask("GET", `/${kind}?filter=${encodeURIComponent(filter)}`);
  const patch = (path: string, ...operations: object[]) =>
    ask("PATCH", path, {
      schemas: ["urn:ietf:params:scim:api:messages:2.0:PatchOp"],
      Operations: operations,
    });
  return { token, ask, find, patch };
}

/** A person as Okta creates them. */
export const oktaUser = (email: string, more: object = {}) => ({
  schemas: ["urn:ietf:params:scim:schemas:core:2.0:User"],
  userName: email,
  name: { givenName: "Ada", familyName: "Lovelace" },
  emails: [{ primary: true, value: email, type: "work" }],
  displayName: "Ada Lovelace",
  locale: "en-US",
  externalId: "00ujl29u0le5T6Aj10h7",
  groups: [],
  password: "1mz050nq",
  active: true,
  ...more,
});

/** A person as Entra creates them. */
export const entraUser = (userName: string, email: string) => ({
  schemas: [
    "urn:ietf:params:scim:schemas:core:2.0:User",
    "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User",
  ],
  externalId: "0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef",
  userName,
  active: true,
  emails: [{ primary: true, type: "work", value: email }],
  meta: { resourceType: "User" },
  name: { formatted: "Ben Smith", familyName: "Smith", givenName: "Ben" },
  roles: [],
  "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User": { department: "Sales" },
});
