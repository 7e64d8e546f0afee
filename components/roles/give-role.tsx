"use client";

import { Plus } from "lucide-react";
import { Button } from "@/components/ui/button";
import { loadOnClient } from "@/components/ui/dialog/load-on-client";
import { useFormDialog } from "@/components/ui/form/use-form-dialog";
import type { GiveRoleDialogProps } from "./give-role-dialog";
import { mayAssignIn } from "./principal";

const GiveRoleDialog = loadOnClient(() => import("./give-role-dialog").then((file) => file.GiveRoleDialog));

/** A button that gives another role to a member or group. Renders nothing if the person can't give roles. */
export function GiveRole(props: Omit<GiveRoleDialogProps, "close">) {
  const canGive = [null, ...props.projects].some((scope) => mayAssignIn(props.held, scope));
  const dialog = useFormDialog("give-role", canGive);
  if (!canGive) return null;
  return (
    <>
      <Button onClick={dialog.open}>
        <Plus aria-hidden />
        Assign role
      </Button>
      {dialog.isOpen && <GiveRoleDialog {...props} close={dialog.close} />}
    </>
  );
}
