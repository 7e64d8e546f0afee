import type { RoleHolder } from "@/lib/contract/operations/role-holders";
import type { KeyStore } from "../keys/key-store";
import type { GroupBook } from "../members/group-book";
import type { UserBook } from "../members/user-book";
import { notFound } from "../ports/refusal";
import type { AccessGraph } from "../roles/access-graph";
import type { Principal } from "../roles/role-store";
import type { Handlers } from "./handler";
import { paginateByNext } from "./paginate";

interface Context {
  readonly graph: AccessGraph;
  readonly keys: KeyStore;
  readonly userBook: UserBook;
  readonly groupBook: GroupBook;
}

export function roleHolderRoutes(context: Context): Handlers<"listRoleHolders"> {
  return {
    listRoleHolders: async ({ query: { role_id, ...page } }) => {
      if (role_id !== undefined && !context.graph.findRole(role_id))
        throw notFound("role", role_id, "role_id");
      const holders = [...holdersByAssignment(context), ...(await keyHolders(context))];
      return paginateByNext(
        holders.filter((one) => role_id === undefined || one.role_id === role_id),
        page,
      );
    },
  };
}

function holdersByAssignment({ graph, userBook, groupBook }: Context): RoleHolder[] {
  const nameOf = ({ kind, id }: Principal) =>
    kind === "user" ? userBook.find(id)?.name : groupBook.find(id).name;
  return graph.assignments().map(({ roleId, projectId, principal }) => {
    const { kind: type, id } = principal;
    return toRoleHolder(roleId, { type, id, name: nameOf(principal) ?? id }, projectId);
  });
}

async function keyHolders({ keys }: Context): Promise<RoleHolder[]> {
  const { adminKeys } = await keys.listActive();
  return adminKeys.map(({ id, name, roleId }) => toRoleHolder(roleId, { type: "admin_key", id, name }, null));
}

/** Nobody holds a role twice in one place: the three together are the entry's id. */
function toRoleHolder(role_id: string, holder: RoleHolder["holder"], project_id: string | null): RoleHolder {
  const id = [role_id, project_id ?? "organization", holder.id].join(":");
  return { object: "role.holder", id, role_id, holder, project_id };
}
