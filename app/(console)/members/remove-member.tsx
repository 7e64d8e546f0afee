"use client";

import { useRouter } from "next/navigation";
import { ConfirmedAction } from "@/components/queries/actions/confirmed-action";
import { Button } from "@/components/ui/button";
import { paths } from "@/lib/console/paths";
import type { User } from "@/lib/contract/operations/people/users";
import { removeMember } from "./actions";

export function RemoveMember({ member: { id, name, email, version } }: { member: User }) {
  const router = useRouter();
  return (
    <ConfirmedAction
      renderButton={(ask) => <Button onClick={ask}>Remove member</Button>}
      title={`Remove ${name} from the organization?`}
      confirmLabel="Remove member"
      action={removeMember}
      input={{ userId: id, version }}
      refetch={["listUsers"]}
      done={() => `${name} removed`}
      leave={() => router.push(paths.members())}
    >
      {email} is signed out everywhere and can’t sign in any more; their roles and groups end, and links to
      conversations they shared stop working. Keys stay, and their usage stays in the ledger. To return, they
      need a new invitation.
    </ConfirmedAction>
  );
}
