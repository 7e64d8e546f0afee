"use client";

import dynamic from "next/dynamic";
import { useState } from "react";
import { useReopen } from "@/components/form/draft-scope";
import { Button } from "@/components/ui/button";
import type { ChangeRoleDialogProps } from "./change-role-dialog";

const ChangeRoleDialog = dynamic(() => import("./change-role-dialog").then((file) => file.ChangeRoleDialog), {
  ssr: false,
});

export function ChangeRole(props: Omit<ChangeRoleDialogProps, "close">) {
  const [isOpen, setIsOpen] = useState(false);
  useReopen("change-role", () => setIsOpen(true));
  return (
    <>
      <Button onClick={() => setIsOpen(true)}>Change role</Button>
      {isOpen && <ChangeRoleDialog {...props} close={() => setIsOpen(false)} />}
    </>
  );
}
