"use client";

import { Plus } from "lucide-react";
import dynamic from "next/dynamic";
import { useState } from "react";
import { Button } from "@/components/ui/button";

const CreateProjectDialog = dynamic(() =>
  import("./create-project-dialog").then((file) => file.CreateProjectDialog),
);

export function CreateProject() {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button variant="primary" onClick={() => setIsOpen(true)}>
        <Plus aria-hidden />
        Create project
      </Button>
      {isOpen && <CreateProjectDialog close={() => setIsOpen(false)} />}
    </>
  );
}
