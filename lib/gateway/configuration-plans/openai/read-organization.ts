import * as z from "zod/mini";
import type { AdminApi } from "./admin-api";

const name = z.string();
const words = z.optional(z.nullable(z.string()));
const project = z.object({
  id: name,
  name: words,
  status: words,
  archived_at: z.optional(z.nullable(z.number())),
});
const role = z.object({
  id: name,
  name,
  description: words,
  permissions: z.array(z.string()),
  predefined_role: z.boolean(),
});
export type TheirRole = z.output<typeof role>;
const group = z.object({ id: name, name });
const user = z.object({ id: name, email: words, role: words, is_service_account: z.optional(z.boolean()) });
const groupUser = z.object({ id: name, email: words });
const invite = z.object({
  email: name,
  role: words,
  status: words,
  projects: z.optional(z.nullable(z.array(z.object({ id: name, role: words })))),
});
const limit = z
  .record(z.string(), z.unknown())
  .check(z.refine((fields) => typeof fields.model === "string", { message: "has no model" }));
const projectUser = z.object({ id: name, email: words, role: words });
const projectGroup = z.object({ group_id: name, group_name: name });
const modelPermissions = z.object({ mode: z.enum(["allow_list", "deny_list"]), model_ids: z.array(name) });
const spendLimit = z.object({ currency: name, interval: words, threshold_amount: z.int() });

/** An organization as it was read, with the lists of which something wasn't understood. */
export interface TheirOrganization {
  readonly roles: readonly TheirRole[];
  readonly groups: readonly (z.output<typeof group> & {
    readonly roles: readonly TheirRole[];
    readonly users: readonly z.output<typeof groupUser>[];
  })[];
  readonly users: readonly (z.output<typeof user> & { readonly roles: readonly TheirRole[] })[];
  readonly invites: readonly z.output<typeof invite>[];
  readonly projects: readonly TheirProject[];
  /** How many entries of which list weren't understood. */
  readonly odd: ReadonlyMap<string, number>;
  /** The lists that the server doesn't have. */
  readonly missing: ReadonlySet<string>;
}

export interface TheirProject {
  readonly id: string;
  readonly name: string;
  readonly limits: readonly z.output<typeof limit>[];
  readonly roles: readonly TheirRole[];
  readonly users: readonly z.output<typeof projectUser>[];
  readonly groups: readonly { readonly name: string; readonly roles: readonly TheirRole[] }[];
  readonly serviceAccounts: number;
  readonly models: z.output<typeof modelPermissions> | null;
  readonly spendLimit: z.output<typeof spendLimit> | null;
}

/** Requests under way at once, which no organization's rate limit minds. */
const AT_ONCE = 4;

/** Reads all that can be brought here. @throws Refusal as the API does. */
export async function readOrganization(api: AdminApi): Promise<TheirOrganization> {
  const odd = new Map<string, number>();
  const missing = new Set<string>();
  const list = async <Schema extends z.ZodMiniType>(what: string, path: string, schema: Schema) => {
    const items = await api.list(path);
    if (items === null) missing.add(what);
    return (items ?? []).flatMap((item): z.output<Schema>[] => {
      const read = schema.safeParse(item);
      if (!read.success) odd.set(what, (odd.get(what) ?? 0) + 1);
      return read.success ? [read.data] : [];
    });
  };
  const find = async <Schema extends z.ZodMiniType>(path: string, schema: Schema) =>
    schema.safeParse(await api.find(path)).data ?? null;
  const projects = await list("projects", "/organization/projects", project);
  const roles = await list("roles", "/organization/roles", role);
  const groups = await list("groups", "/organization/groups", group);
  const users = await list("members", "/organization/users", user);
  const invites = await list("invitations", "/organization/invites", invite);
  const isCustomized = roles.some((one) => !one.predefined_role);
  return {
    roles,
    invites,
    groups: await inParallel(groups, async (one) => ({
      ...one,
      roles: await list("roles of groups", at`/organization/groups/${one.id}/roles`, role),
      users: await list("members of groups", at`/organization/groups/${one.id}/users`, groupUser),
    })),
    // Where no role is the organization's own, the word says it all.
    users: await inParallel(users, async (one) => ({
      ...one,
      roles: isCustomized
        ? await list("roles of members", at`/organization/users/${one.id}/roles`, role)
        : [],
    })),
    projects: await inParallel(projects.filter(isActive), async (one): Promise<TheirProject> => {
      const inside = at`/organization/projects/${one.id}`;
      const own = at`/projects/${one.id}`;
      const theirGroups = await list("groups of projects", `${inside}/groups`, projectGroup);
      return {
        id: one.id,
        name: one.name || one.id,
        limits: await list("rate limits", `${inside}/rate_limits`, limit),
        roles: await list("roles of projects", `${own}/roles`, role),
        users: await list("members of projects", `${inside}/users`, projectUser),
        groups: await inParallel(theirGroups, async ({ group_id: id, group_name }) => ({
          name: group_name,
          roles: await list("roles of groups in projects", `${own}${at`/groups/${id}`}/roles`, role),
        })),
        serviceAccounts: (await api.list(`${inside}/service_accounts`))?.length ?? 0,
        models: await find(`${inside}/model_permissions`, modelPermissions),
        spendLimit: await find(`${inside}/spend_limit`, spendLimit),
      };
    }),
    odd,
    missing,
  };
}

function isActive({ status, archived_at: archivedAt }: z.output<typeof project>): boolean {
  return status !== "archived" && !archivedAt;
}

/** A path with ids in it. */
function at(parts: TemplateStringsArray, ...ids: readonly string[]): string {
  return parts.map((part, index) => part + encodeURIComponent(ids[index] ?? "")).join("");
}

async function inParallel<Item, Result>(
  items: readonly Item[],
  read: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let from = 0; from < items.length; from += AT_ONCE)
    results.push(...(await Promise.all(items.slice(from, from + AT_ONCE).map(read))));
  return results;
}
