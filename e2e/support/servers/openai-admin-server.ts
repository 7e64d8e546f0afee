import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type OpenAI from "openai";

type Role = OpenAI.Admin.Organization.Role;

/** What the stand-in's organization has, in the types of OpenAI's SDK. */
interface StandInOrganization {
  readonly projects: readonly OpenAI.Admin.Organization.Project[];
  readonly roles: readonly Role[];
  readonly groups: readonly OpenAI.Admin.Organization.Group[];
  readonly users: readonly OpenAI.Admin.Organization.OrganizationUser[];
  readonly invites: readonly OpenAI.Admin.Organization.Invite[];
  /** By path, the further lists; those that are absent are empty. */
  readonly inside: Readonly<Record<string, readonly object[]>>;
  /** By path, single objects. */
  readonly objects: Readonly<Record<string, object>>;
}

const KEY = "sk-admin-stand-in";

/** How each list is paged: by `next`, or by the last id. */
const byNext = /\/(roles|groups)$|\/groups\/[^/]+\/users$/;

interface StandInAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * A stand-in of the read side of OpenAI's Admin API, two entries in a page. `disturb` may answer a request in its
 * place.
 */
export async function startOpenaiAdminServer(
  organization: StandInOrganization,
  disturb: (path: string, visit: number) => StandInAnswer | undefined = () => undefined,
) {
  const visits: { readonly path: string; readonly method: string | undefined }[] = [];
  const lists: Readonly<Record<string, readonly object[]>> = {
    "/organization/projects": organization.projects,
    "/organization/roles": organization.roles,
    "/organization/groups": organization.groups,
    "/organization/users": organization.users,
    "/organization/invites": organization.invites,
    ...organization.inside,
  };
  const answer = (path: string, key: string | undefined, after: string | null): StandInAnswer => {
    const disturbed = disturb(path, visits.length);
    if (disturbed) return disturbed;
    if (key !== `Bearer ${KEY}`) return fail(401, "Incorrect API key provided");
    const object = organization.objects[path];
    if (object) return { body: JSON.stringify(object) };
    if (/\/(model_permissions|spend_limit)$/.test(path)) return fail(404, "Not found");
    return { body: JSON.stringify(pageOf(lists[path] ?? [], path, after)) };
  };
  const server = createServer(({ method, url = "", headers }, response) => {
    const { pathname, searchParams } = new URL(url, "http://stand-in");
    const path = pathname.replace(/^\/v1/, "");
    visits.push({ path, method });
    const {
      status = 200,
      headers: own,
      body,
    } = answer(path, headers.authorization, searchParams.get("after"));
    response.writeHead(status, { "content-type": "application/json", ...own }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    key: KEY,
    visits,
    close,
    [Symbol.asyncDispose]: async () => close(),
  };
}

const PAGE = 2;

function pageOf(items: readonly object[], path: string, after: string | null) {
  const idOf = (item: object | undefined) => (item as { id?: string } | undefined)?.id ?? null;
  const from = after === null ? 0 : items.findIndex((item) => idOf(item) === after) + 1;
  const data = items.slice(from, from + PAGE);
  const has_more = from + PAGE < items.length;
  const last = idOf(data.at(-1));
  return byNext.test(path)
    ? { object: "list", data, has_more, next: has_more ? last : null }
    : { object: "list", data, has_more, first_id: idOf(data[0]), last_id: last };
}

function fail(status: number, message: string): StandInAnswer {
  return { status, body: JSON.stringify({ error: { message, type: "invalid_request_error" } }) };
}

const role = (id: string, name: string, permissions: string[], predefined = false): Role => ({
  id,
  name,
  object: "role",
  description: null,
  permissions,
  predefined_role: predefined,
  resource_type: "api.organization",
});
const project = (id: string, name: string): OpenAI.Admin.Organization.Project => ({
  id,
  name,
  object: "organization.project",
  created_at: 1,
  status: "active",
});
const user = (
  id: string,
  email: string | null,
  word: string,
): OpenAI.Admin.Organization.OrganizationUser => ({
  id,
  email,
  name: id,
  role: word,
  object: "organization.user",
  added_at: 1,
});
const limit = (model: string, requests: number): OpenAI.Admin.Organization.Projects.ProjectRateLimit => ({
  id: `rl-${model}`,
  object: "project.rate_limit",
  model,
  max_requests_per_1_minute: requests,
  max_tokens_per_1_minute: 5000,
});

const lead = role("role_lead", "Support lead", ["api.users.read", "api.threads.write"]);
/** Two active projects, three groups, and things that have no counterpart here. */
export const standInOrganization: StandInOrganization = {
  projects: [
    project("proj_a", "Search"),
    project("proj_b", "Default project"),
    { ...project("proj_c", "Gone"), status: "archived", archived_at: 2 },
  ],
  roles: [role("role_owner", "owner", [], true), role("role_reader", "reader", [], true), lead],
  groups: [
    { id: "group_1", name: "Leads", created_at: 1, group_type: "group", is_scim_managed: false },
    { id: "group_2", name: "Testers", created_at: 1, group_type: "group", is_scim_managed: false },
    { id: "group_3", name: "Empty", created_at: 1, group_type: "group", is_scim_managed: false },
  ],
  users: [
    user("user_1", "Ada@example.com", "owner"),
    user("user_2", "bob@example.com", "reader"),
    user("user_3", null, "reader"),
    { ...user("user_4", "bot@example.com", "reader"), is_service_account: true },
  ],
  invites: [
    {
      id: "invite_1",
      object: "organization.invite",
      email: "eve@example.com",
      role: "reader",
      status: "pending",
      created_at: 1,
      expires_at: 9,
      projects: [{ id: "proj_a", role: "member" }],
    },
  ],
  inside: {
    "/organization/projects/proj_a/rate_limits": [
      limit("sandbox-echo", 70),
      limit("gpt-unknown", 9),
      limit("sandbox-chat", 80),
    ],
    "/organization/projects/proj_a/users": [
      {
        id: "user_2",
        object: "organization.project.user",
        role: "owner",
        email: "bob@example.com",
        added_at: 1,
      },
    ],
    "/organization/projects/proj_a/groups": [
      {
        group_id: "group_1",
        group_name: "Leads",
        object: "project.group",
        created_at: 1,
        project_id: "proj_a",
      },
    ],
    "/projects/proj_a/groups/group_1/roles": [role("role_member", "member", [], true)],
    "/organization/projects/proj_a/service_accounts": [{ id: "svc" }],
    "/organization/groups/group_1/roles": [lead],
    "/organization/groups/group_1/users": [{ id: "user_2", email: "bob@example.com", name: "Bob" }],
    "/organization/users/user_2/roles": [role("role_reader", "reader", [], true)],
  },
  objects: {
    "/organization/projects/proj_a/model_permissions": {
      object: "project.model_permissions",
      mode: "allow_list",
      model_ids: ["sandbox-echo", "gpt-unknown"],
    },
    "/organization/projects/proj_a/spend_limit": {
      object: "project.spend_limit",
      currency: "USD",
      interval: "month",
      threshold_amount: 45_000,
      enforcement: { status: "inactive" },
    },
  },
};
