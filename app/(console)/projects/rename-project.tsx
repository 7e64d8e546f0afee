"use client";

import { Pencil } from "lucide-react";
import { Button } from "@/components/ui/button";
import { loadOnClient } from "@/components/ui/dialog/load-on-client";
import { useFormDialog } from "@/components/ui/form/use-form-dialog";
import type { Project } from "@/lib/contract/operations/projects/projects";

const RenameProjectDialog = loadOnClient(() =>
  import("./rename-project-dialog").then((file) => file.RenameProjectDialog),
);

export function RenameProject({ project }: { project: Project }) {
  const dialog = useFormDialog("rename-project");
  return (
    <>
      <Button onClick={dialog.open}>
        <Pencil aria-hidden />
        Rename
      </Button>
      {dialog.isOpen && <RenameProjectDialog project={project} close={dialog.close} />}
    </>
  );
}
