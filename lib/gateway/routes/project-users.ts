import type { ProjectUser, ProjectUserDraft } from "@/lib/contract/operations/project-users";
import { roleIdOf, roleWord } from "@/lib/contract/role-words";
import { findUser } from "../members/find-user";
import type { UserBook } from "../members/user-book";
import type { UserRecord } from "../members/user-store";
import type { OneAtATime } from "../ports/one-at-a-time";
import { conflict, notFound } from "../ports/refusal";
import { findActiveProject, findProject } from "../projects/find-project";
import type { ProjectStore } from "../projects/project-store";
import type { HeldRole, Role } from "../roles/access-graph";
import { type AssignmentContext, seatRoles } from "../roles/assign-roles";
import type { Actor } from "../roles/change-access";
import { findRole } from "../roles/find-role";
import type { Handlers } from "./handler";
import { paginate } from "./paginate";
import { toRoleIds } from "./roles";
import { toUnixSeconds } from "./unix-seconds";

export interface ProjectUserContext extends AssignmentContext {
  readonly projects: ProjectStore;
  readonly userBook: UserBook;
  readonly inTurn: OneAtATime;
}

type Ids =
  | "listProjectUsers"
  | "addProjectUser"
  | "retrieveProjectUser"
  | "changeProjectUser"
  | "removeProjectUser";

export function projectUserRoutes(context: ProjectUserContext): Handlers<Ids> {
  const { projects, userBook, graph, inTurn } = context;
  /** @throws Refusal 404 for a member who holds no role in the project directly. */
  const describe = (projectId: string, userId: string) => {
    const user = userBook.find(userId);
    const described = user && toProjectUser(user, graph.directRoles(user, projectId));
    if (!described) throw notFound("user in this project", userId, "user_id");
    return described;
  };
  const roleOf = (word: string, projectId: string) =>
    findRole(graph, roleIdOf(word, true), projectId, "role");
  const seat = (actor: Actor, projectId: string, id: string, wanted: Role[]) =>
    seatRoles(context, actor, { principal: { kind: "user", id }, projectId }, wanted);
  return {
    listProjectUsers: async ({ params, query }) => {
      const { id } = await findProject(projects, params.project_id);
      return paginate(context.roles.listedHolders(id, "user"), query, (holder) => {
        const user = userBook.find(holder.id);
        return user ? toProjectUser(user, graph.directRoles(user, id)) : null;
      });
    },
    retrieveProjectUser: async ({ params }) =>
      describe((await findProject(projects, params.project_id)).id, params.user_id),
    addProjectUser: ({ params, body, caller }) =>
      inTurn(async () => {
        const { id: projectId } = await findActiveProject(projects, params.project_id);
        const user = findNamed(userBook, body);
        if (graph.directRoles(user, projectId).length > 0) {
          throw conflict(body.email ? "email" : "user_id", `${user.email} is in this project already.`);
        }
        await seat(caller, projectId, user.id, [roleOf(body.role, projectId)]);
        return describe(projectId, user.id);
      }),
    changeProjectUser: ({ params, body, caller }) =>
      inTurn(async () => {
        const { id: projectId } = await findActiveProject(projects, params.project_id);
        const before = describe(projectId, params.user_id);
        if (!body.role) return before;
        await seat(caller, projectId, params.user_id, [roleOf(body.role, projectId)]);
        return describe(projectId, params.user_id);
      }),
    removeProjectUser: ({ params, caller }) =>
      inTurn(async () => {
        const { id: projectId } = await findActiveProject(projects, params.project_id);
        const { id } = describe(projectId, params.user_id);
        await seat(caller, projectId, id, []);
        return { object: "organization.project.user.deleted", id, deleted: true };
      }),
  };
}

/** Null for a member who holds nothing. */
function toProjectUser({ id, name, email }: UserRecord, held: readonly HeldRole[]): ProjectUser | null {
  const [first] = held;
  if (!first) return null;
  return {
    object: "organization.project.user",
    id,
    name,
    email,
    role: roleWord(first.role.id),
    roles: toRoleIds(held),
    added_at: toUnixSeconds(Math.min(...held.map(({ assignment }) => assignment.createdAtMs))),
  };
}

function findNamed(userBook: UserBook, { user_id: id, email }: ProjectUserDraft): UserRecord {
  if (id) return findUser(userBook, id);
  const user = userBook.findByEmail(email ?? "");
  if (!user) throw notFound("member with the address", email ?? "", "email");
  return user;
}
