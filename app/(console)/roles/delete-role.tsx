"use client";

import { Trash2 } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { useAction } from "@/app/queries/use-action";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { toast } from "@/components/ui/toast";
import { paths } from "@/lib/console/paths";
import type { Role } from "@/lib/contract/operations/roles";
import { deleteRole } from "./actions";

export function DeleteRole({ role }: { role: Role }) {
  const router = useRouter();
  const [open, setOpen] = useState(false);
  const remove = useAction(deleteRole, {
    changes: ["listRoles"],
    onSuccess: () => {
      toast({ message: `Role “${role.name}” deleted` });
      router.push(paths.roles());
    },
  });

  function close() {
    setOpen(false);
    remove.reset();
  }

  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <Trash2 aria-hidden />
        Delete role
      </Button>
      <ConfirmDialog
        open={open}
        onClose={close}
        onConfirm={() => remove.mutate({ roleId: role.id, version: role.version })}
        title={`Delete the role “${role.name}”?`}
        confirmLabel="Delete role"
        pending={remove.isPending || remove.isSuccess}
        error={remove.error?.problem.message}
      >
        Nobody can be given it any more. While a key still holds it, the gateway refuses to delete it. This
        can’t be undone.
      </ConfirmDialog>
    </>
  );
}
