import type { RoleHolder } from "@/lib/contract/operations/people/role-holders";
import type { AdminKeyRecord } from "../../keys/key-records";
import type { KeyStore } from "../../keys/key-store.sql";
import { mergeById } from "../../lists/paged-list";
import type { GroupCache } from "../../people/groups";
import type { UserCache } from "../../people/members";
import { notFound } from "../../refusal";
import type { AccessGraph } from "../../roles/access-graph";
import type { RoleAssignment, RoleStore } from "../../roles/role-store.sql";
import type { Handlers } from "../handler";
import { paginateByNext } from "../paginate";

interface Context {
  readonly graph: AccessGraph;
  readonly keys: Pick<KeyStore, "roleHolderPages">;
  readonly roles: Pick<RoleStore, "assignmentPages">;
  readonly userCache: UserCache;
  readonly groupCache: GroupCache;
}

export function roleHolderRoutes(context: Context): Handlers<"listRoleHolders"> {
  return {
    listRoleHolders: async ({ query: { role_id, ...page } }) => {
      if (role_id !== undefined && !context.graph.findRole(role_id))
        throw notFound("role", role_id, "role_id");
      const assignments = context.roles.assignmentPages(role_id);
      const holders = mergeById<Entry>(assignments, context.keys.roleHolderPages(role_id));
      return paginateByNext(holders, page, (entry) => toRoleHolder(context, entry));
    },
  };
}

type Entry = { readonly id: string } & (RoleAssignment | { readonly key: AdminKeyRecord });

function toRoleHolder({ userCache, groupCache }: Context, entry: Entry): RoleHolder {
  if ("key" in entry) {
    const { id, name, roleId } = entry.key;
    return describe(entry.id, roleId, { type: "admin_key", id, name }, null);
  }
  const { kind: type, id } = entry.principal;
  // A holder may have been deleted since the page was read.
  const name = (type === "user" ? userCache : groupCache).find(id)?.name ?? id;
  return describe(entry.id, entry.roleId, { type, id, name }, entry.projectId);
}

function describe(
  id: string,
  role_id: string,
  holder: RoleHolder["holder"],
  project_id: string | null,
): RoleHolder {
  return { object: "role.holder", id, role_id, holder, project_id };
}
