import type { PermissionExplanation } from "@/lib/contract/operations/permissions";
import { type Permission, permissionCatalogue } from "@/lib/contract/permissions";
import { roleIdOf } from "@/lib/contract/role-words";
import type { AdminKeyRecord, KeyStore, ProjectKeyRecord } from "../keys/key-store";
import { findUser } from "../members/find-user";
import type { GroupMirror } from "../members/group-mirror";
import type { UserMirror } from "../members/user-mirror";
import { findProject } from "../projects/find-project";
import type { ProjectStore } from "../projects/project-store";
import { notFound } from "../refusal";
import type { AccessGraph, HeldRole, Role } from "../roles/access-graph";
import { type LeastRole, leastOf, leastRoleFor, pathsTo } from "../roles/explain-permission";
import type { Handlers } from "./handler";

interface Context {
  readonly keys: KeyStore;
  readonly projects: ProjectStore;
  readonly userMirror: UserMirror;
  readonly groupMirror: GroupMirror;
  readonly graph: AccessGraph;
}

interface Asked {
  readonly permission: Permission;
  readonly projectId: string | null;
}
type Path = PermissionExplanation["paths"][number];
type Findings = Pick<PermissionExplanation, "principal"> & { paths: Path[]; least: LeastRole | null };

export function permissionRoutes(context: Context): Handlers<"explainPermission"> {
  return {
    explainPermission: async ({ query }) => {
      const { permission, user_id, key_id = "", project_id = null } = query;
      if (project_id !== null) await findProject(context.projects, project_id);
      const asked = { permission, projectId: project_id };
      const { principal, paths, least } =
        user_id === undefined
          ? await explainKey(context, asked, key_id)
          : explainUser(context, asked, user_id);
      const granted = paths.length > 0;
      return {
        object: "permission.explanation",
        permission,
        sentence: permissionCatalogue[permission],
        principal,
        project_id,
        granted,
        paths,
        least_role:
          granted || least === null
            ? null
            : { role: refer(least.role), project_id: least.projectId, also_grants: [...least.alsoGrants] },
      };
    },
  };
}

function explainUser(
  { graph, userMirror, groupMirror }: Context,
  { permission, projectId }: Asked,
  userId: string,
): Findings {
  const { id, name } = findUser(userMirror, userId);
  const nameOf = ({ kind, id: holder }: HeldRole["assignment"]["principal"]) =>
    kind === "user" ? name : groupMirror.find(holder).name;
  const paths = pathsTo(graph, id, permission, projectId).map(({ role, assignment }) => ({
    role: refer(role),
    held_by: {
      type: assignment.principal.kind,
      id: assignment.principal.id,
      name: nameOf(assignment.principal),
    },
    project_id: assignment.projectId,
  }));
  const held = graph.permissionsOf({ kind: "user", id }, projectId);
  const least = leastRoleFor(graph, held, permission, projectId);
  return { principal: { type: "user", id, name }, paths, least };
}

async function explainKey(context: Context, asked: Asked, keyId: string): Promise<Findings> {
  const adminKey = await context.keys.findAdminKey(keyId);
  if (adminKey) return explainAdminKey(context, asked, adminKey);
  const projectKey = await context.keys.findProjectKey(keyId);
  if (projectKey) return explainProjectKey(context, asked, projectKey);
  throw notFound("key", keyId, "key_id");
}

/** A key holds one role for good: the least role is the one another key would need. */
function explainAdminKey({ graph }: Context, { permission }: Asked, key: AdminKeyRecord): Findings {
  const principal = { type: "admin_key" as const, id: key.id, name: key.name };
  const role = graph.findRole(key.roleId);
  const least = leastRoleFor(graph, new Set(role?.permissions), permission, null);
  return { principal, paths: pathOf(role, permission, principal, null), least };
}

/** It counts in its own project alone, and there by one of the roles a service account can have. */
function explainProjectKey(
  { graph }: Context,
  { permission, projectId: asked }: Asked,
  key: ProjectKeyRecord,
): Findings {
  const { id, name, projectId } = key;
  const principal = { type: "project_key" as const, id, name };
  if (asked !== null && asked !== projectId) return { principal, paths: [], least: null };
  const roleOf = (word: string) => graph.findRole(roleIdOf(word, true));
  const role = roleOf(key.serviceAccount?.role ?? "member");
  const possible = ["member", "owner"].flatMap((word) => roleOf(word) ?? []);
  const least = leastOf(possible, new Set(role?.permissions), permission, projectId);
  return { principal, paths: pathOf(role, permission, principal, projectId), least };
}

function pathOf(
  role: Role | undefined,
  permission: Permission,
  held_by: Path["held_by"],
  project_id: string | null,
): Path[] {
  return role?.permissions.includes(permission) ? [{ role: refer(role), held_by, project_id }] : [];
}

function refer({ id, name }: Role) {
  return { id, name };
}
