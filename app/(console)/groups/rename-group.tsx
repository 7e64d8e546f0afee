"use client";

import dynamic from "next/dynamic";
import { useState } from "react";
import { useReopen } from "@/components/form/draft-scope";
import { Button } from "@/components/ui/button";
import type { Group } from "@/lib/contract/operations/groups";

const RenameGroupDialog = dynamic(
  () => import("./rename-group-dialog").then((file) => file.RenameGroupDialog),
  { ssr: false },
);

export function RenameGroup({ group }: { group: Group }) {
  const [isOpen, setIsOpen] = useState(false);
  useReopen("rename-group", () => setIsOpen(true));
  return (
    <>
      <Button onClick={() => setIsOpen(true)}>Rename</Button>
      {isOpen && <RenameGroupDialog group={group} close={() => setIsOpen(false)} />}
    </>
  );
}
