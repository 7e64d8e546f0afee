import type { Invite, InviteDraft } from "@/lib/contract/operations/invites";
import { roleIdOf, roleWord } from "@/lib/contract/role-words";
import { authorOf } from "../auth/actor-behind";
import type { Caller } from "../auth/caller";
import { createInvite } from "../members/create-invite";
import { inviteStatus } from "../members/invite-status";
import type { InviteRecord, InviteStore } from "../members/invite-store";
import type { UserBook } from "../members/user-book";
import type { Effects } from "../ports/effects";
import type { OneAtATime } from "../ports/one-at-a-time";
import { conflict, notFound } from "../ports/refusal";
import { refuseArchived } from "../projects/find-project";
import type { ProjectStore } from "../projects/project-store";
import type { AccessGraph } from "../roles/access-graph";
import { refuseExcess } from "../roles/change-access";
import { findRole } from "../roles/find-role";
import type { Mailer } from "../sign-in/mailer";
import type { Handlers } from "./handler";
import { paginate } from "./paginate";
import type { Organization } from "./sessions";
import { toNullableUnixSeconds, toUnixSeconds } from "./unix-seconds";

type Ids = "listInvites" | "createInvite" | "retrieveInvite" | "deleteInvite";

interface Context {
  readonly invites: InviteStore;
  readonly projects: ProjectStore;
  readonly userBook: UserBook;
  readonly graph: AccessGraph;
  readonly inTurn: OneAtATime;
  readonly effects: Effects;
  readonly organization: Organization;
  readonly mailer: Mailer | null;
  /** The console's address, without a trailing slash. */
  readonly consoleUrl: string;
}

export function inviteRoutes(context: Context): Handlers<Ids> {
  const { invites, inTurn, effects } = context;
  const toInvite = (record: InviteRecord) => describe(record, effects.clock.nowMs());
  const find = async (id: string) => {
    const invite = await invites.find(id);
    if (!invite) throw notFound("invite", id, "invite_id");
    return invite;
  };
  return {
    listInvites: ({ query }) => paginate(invites.listed(), query, toInvite),
    createInvite: ({ body, caller }) =>
      inTurn(async () => {
        const roleId = grantableRole(context, caller, body.role, null, "role");
        const projects = await grantableProjects(context, caller, body);
        const draft = { email: body.email, roleId, projects, inviter: authorOf(caller) };
        const { invite, token } = await createInvite(context, draft);
        mailInvite(context, invite, token);
        return { ...toInvite(invite), token };
      }),
    retrieveInvite: async ({ params }) => toInvite(await find(params.invite_id)),
    deleteInvite: ({ params: { invite_id: id }, caller }) =>
      inTurn(async () => {
        const invite = await find(id);
        refuseExcessIn(context, caller, invite);
        if (!(await invites.delete(id))) {
          const message = `${invite.email} has accepted this invitation; remove the member instead.`;
          throw conflict("invite_id", message, "invite_accepted");
        }
        return { object: "organization.invite.deleted" as const, id, deleted: true as const };
      }),
  };
}

/** Where there is no mail server, whoever invites hands the link over. */
function mailInvite({ mailer, organization, consoleUrl }: Context, { email }: InviteRecord, token: string) {
  mailer?.send({
    to: email,
    subject: `Join ${organization.name}`,
    text: [
      `You are invited to ${organization.name}, which runs its access to AI models with Gatehouse.`,
      "Open this link within seven days to join:",
      `${consoleUrl}/invite#token=${token}`,
    ].join("\n\n"),
  });
}

const activeProjects = { ids: null, withArchived: false };

/** The projects an invitation leads into. @throws Refusal 404, 409 for one that is archived, 403. */
async function grantableProjects(context: Context, caller: Caller, { projects: asked }: InviteDraft) {
  const [oldest] = asked ? [] : await context.projects.listed(activeProjects).read({ limit: 1 });
  const usual = oldest ? [{ id: oldest.id, role: "member" }] : [];
  const grantable: InviteRecord["projects"][number][] = [];
  for (const [index, { id: projectId, role }] of (asked ?? usual).entries()) {
    const [place, project] = [`projects.${index}`, await context.projects.find(projectId)];
    if (!project) throw notFound("project", projectId, `${place}.id`);
    refuseArchived(project, `${place}.id`);
    grantable.push({
      projectId,
      roleId: grantableRole(context, caller, role, projectId, `${place}.role`),
    });
  }
  return grantable;
}

/** The id of a role, in a project or in the organization, that the caller may give. @throws Refusal 404 or 403. */
function grantableRole(
  { graph }: Context,
  caller: Caller,
  word: string,
  projectId: string | null,
  param: string,
): string {
  const role = findRole(graph, roleIdOf(word, projectId !== null), projectId, param);
  refuseExcess(caller, role.permissions, projectId, param);
  return role.id;
}

/** @throws Refusal 403 for an invitation that carries more than the caller holds. */
function refuseExcessIn({ graph }: Context, caller: Caller, { roleId, projects }: InviteRecord): void {
  for (const seat of [{ projectId: null, roleId }, ...projects]) {
    refuseExcess(caller, graph.findRole(seat.roleId)?.permissions ?? [], seat.projectId);
  }
}

function describe(invite: InviteRecord, nowMs: number): Invite {
  return {
    object: "organization.invite",
    id: invite.id,
    email: invite.email,
    role: roleWord(invite.roleId),
    status: inviteStatus(invite, nowMs),
    created_at: toUnixSeconds(invite.createdAtMs),
    expires_at: toUnixSeconds(invite.expiresAtMs),
    accepted_at: toNullableUnixSeconds(invite.acceptedAtMs),
    projects: invite.projects.map(({ projectId, roleId }) => ({ id: projectId, role: roleWord(roleId) })),
  };
}
