"use client";

import dynamic from "next/dynamic";
import { useState } from "react";
import { useReopen } from "@/components/form/draft-scope";
import { Button } from "@/components/ui/button";
import type { Project } from "@/lib/contract/operations/projects";

const RenameProjectDialog = dynamic(
  () => import("./rename-project-dialog").then((file) => file.RenameProjectDialog),
  { ssr: false },
);

export function RenameProject({ project }: { project: Project }) {
  const [isOpen, setIsOpen] = useState(false);
  useReopen("rename-project", () => setIsOpen(true));
  return (
    <>
      <Button onClick={() => setIsOpen(true)}>Rename</Button>
      {isOpen && <RenameProjectDialog project={project} close={() => setIsOpen(false)} />}
    </>
  );
}
