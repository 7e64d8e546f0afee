import { Trash2 } from "lucide-react";
import { ConfirmedAction } from "@/components/queries/actions/confirmed-action";
import { IconButton } from "@/components/ui/icon-button";
import type { Invite } from "@/lib/contract/operations/people/invites";
import { withdrawInvite } from "../actions";

/** Withdraws a pending invitation, or removes an expired one. */
export function WithdrawInvite({ invite: { id, email, status } }: { invite: Invite }) {
  const isPending = status === "pending";
  const verb = isPending ? "Withdraw" : "Delete";
  const question = `${verb} the invitation of ${email}`;
  return (
    <ConfirmedAction
      renderButton={(ask) => <IconButton size="small" label={question} icon={<Trash2 />} onClick={ask} />}
      title={`${question}?`}
      confirmLabel={`${verb} invitation`}
      action={withdrawInvite}
      input={{ inviteId: id }}
      // If the invitation was accepted meanwhile, there is a new member too.
      refetch={["listInvites", "listUsers"]}
      done={() => `Invitation of ${email} ${isPending ? "withdrawn" : "deleted"}`}
    >
      {isPending
        ? "Its link stops working immediately. You can invite them again at any time."
        : "Its link has stopped working already; it goes from this list."}
    </ConfirmedAction>
  );
}
