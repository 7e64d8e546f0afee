"use client";

import dynamic from "next/dynamic";
import { useFormDialog } from "@/components/form/use-form-dialog";
import { Button } from "@/components/ui/button";
import type { Group } from "@/lib/contract/operations/groups";

const RenameGroupDialog = dynamic(
  () => import("./rename-group-dialog").then((file) => file.RenameGroupDialog),
  { ssr: false },
);

export function RenameGroup({ group }: { group: Group }) {
  const dialog = useFormDialog("rename-group");
  return (
    <>
      <Button onClick={dialog.open}>Rename</Button>
      {dialog.isOpen && <RenameGroupDialog group={group} close={dialog.close} />}
    </>
  );
}
