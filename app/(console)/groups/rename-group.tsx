"use client";

import { Button } from "@/components/ui/button";
import { loadOnClient } from "@/components/ui/dialog/load-on-client";
import { useFormDialog } from "@/components/ui/form/use-form-dialog";
import type { Group } from "@/lib/contract/operations/people/groups";

const RenameGroupDialog = loadOnClient(() =>
  import("./rename-group-dialog").then((file) => file.RenameGroupDialog),
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
