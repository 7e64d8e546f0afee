import { type ChangeRequest, change } from "../changes/change";
import { conflict, notFound } from "../refusal";
import { type Actor, refuseLackedPermission } from "../roles/actor";
import type { InviteContext } from "./create-invite";
import type { InviteRecord, InviteStore } from "./invite-store";

/**
 * Withdraws an invitation: its link stops working.
 * @throws Refusal 404; 403 for one that grants more than the actor holds; 409 for one that was accepted.
 */
export function deleteInvite(
  context: InviteContext,
  request: ChangeRequest,
  actor: Actor,
  id: string,
): Promise<void> {
  const { invites, graph } = context;
  return change(context, request, async (transaction) => {
    const { email, roleId, projects } = await findInvite(invites, id);
    for (const role of [{ projectId: null, roleId }, ...projects]) {
      refuseLackedPermission(actor, graph.findRole(role.roleId)?.permissions ?? [], role.projectId);
    }
    if (await invites.delete(transaction, id)) return;
    const message = `${email} has accepted this invitation; remove the member instead.`;
    throw conflict("invite_id", message, "invite_accepted");
  });
}

/** @throws Refusal 404. */
export async function findInvite(invites: InviteStore, id: string): Promise<InviteRecord> {
  const invite = await invites.find(id);
  if (!invite) throw notFound("invite", id, "invite_id");
  return invite;
}
