"use client";

import { Trash2 } from "lucide-react";
import { useRouter } from "next/navigation";
import { ConfirmedAction } from "@/components/queries/actions/confirmed-action";
import { Button } from "@/components/ui/button";
import { useObjectGone } from "@/components/ui/drafts/object-gone";
import { paths } from "@/lib/console/paths";
import type { Role } from "@/lib/contract/operations/people/roles";
import { deleteRole } from "./actions";

export function DeleteRole({ role: { id, name, version } }: { role: Role }) {
  const router = useRouter();
  const { isGone } = useObjectGone();
  return (
    <ConfirmedAction
      renderButton={(ask) =>
        !isGone && (
          <Button onClick={ask}>
            <Trash2 aria-hidden />
            Delete role
          </Button>
        )
      }
      title={`Delete the role “${name}”?`}
      confirmLabel="Delete role"
      action={deleteRole}
      input={{ roleId: id, version }}
      refetch={["listRoles"]}
      done={() => `Role “${name}” deleted`}
      leave={() => router.push(paths.roles())}
    >
      It can no longer be assigned. The gateway refuses to delete it while a key still has it. This can’t be
      undone.
    </ConfirmedAction>
  );
}
