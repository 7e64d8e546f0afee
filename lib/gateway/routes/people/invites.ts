import { roleWord } from "@/lib/contract/access/role-words";
import type { Invite } from "@/lib/contract/operations/people/invites";
import { toActorRef } from "../../access/caller";
import { toNullableUnixSeconds, toUnixSeconds } from "../../clock";
import { type InviteRecord, inviteStatus } from "../../people/invite-store.sql";
import { createInvite, deleteInvite, findInvite, type InviteContext } from "../../people/invites";
import type { Organization } from "../../projects/organization-store.sql";
import type { Mailer } from "../../sign-in/mailer";
import type { Handlers } from "../handler";
import { paginate } from "../paginate";

type Ids = "listInvites" | "createInvite" | "retrieveInvite" | "deleteInvite";

interface Context extends InviteContext {
  readonly organization: Organization;
  readonly mailer: Mailer | null;
  /** The console's address, without a trailing slash. */
  readonly consoleUrl: string;
}

export function inviteRoutes(context: Context): Handlers<Ids> {
  const { invites, runtime } = context;
  const toInvite = (record: InviteRecord) => describe(record, runtime.clock.nowMs());
  return {
    listInvites: ({ query }) => paginate(invites.pages(query.open === true), query, toInvite),
    createInvite: async ({ body, caller, request }) => {
      const inviter = { actor: caller, ref: toActorRef(caller) };
      const { invite, token } = await createInvite(context, request, inviter, body);
      mailInvite(context, invite, token);
      return { ...toInvite(invite), token };
    },
    retrieveInvite: async ({ params }) => toInvite(await findInvite(invites, params.invite_id)),
    deleteInvite: async ({ params: { invite_id: id }, caller, request }) => {
      await deleteInvite(context, request, caller, id);
      return { object: "organization.invite.deleted", id, deleted: true };
    },
  };
}

/** Mails the link; without a mail server the inviter passes it on. */
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
    groups: [...invite.groupIds],
  };
}
