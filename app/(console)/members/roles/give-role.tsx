"use client";

import { Plus } from "lucide-react";
import dynamic from "next/dynamic";
import { useState } from "react";
import { useReopen } from "@/components/form/draft-scope";
import { Button } from "@/components/ui/button";
import { mayAssignIn } from "../principal";
import type { GiveRoleDialogProps } from "./give-role-dialog";

const GiveRoleDialog = dynamic(() => import("./give-role-dialog").then((file) => file.GiveRoleDialog), {
  ssr: false,
});

/** A button that gives another role to a member or group. Renders nothing if the person can't give roles. */
export function GiveRole(props: Omit<GiveRoleDialogProps, "close">) {
  const [isOpen, setIsOpen] = useState(false);
  const canGive = [null, ...props.projects].some((place) => mayAssignIn(props.held, place));
  useReopen("give-role", () => setIsOpen(canGive));
  if (!canGive) return null;
  return (
    <>
      <Button onClick={() => setIsOpen(true)}>
        <Plus aria-hidden />
        Give role
      </Button>
      {isOpen && <GiveRoleDialog {...props} close={() => setIsOpen(false)} />}
    </>
  );
}
