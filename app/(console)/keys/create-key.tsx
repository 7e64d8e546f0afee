"use client";

import { Plus } from "lucide-react";
import dynamic from "next/dynamic";
import { useState } from "react";
import { Button } from "@/components/ui/button";

const CreateKeyDialog = dynamic(() => import("./create-key-dialog").then((file) => file.CreateKeyDialog));

type CreateKeyProps = { projectId: string; baseUrl: string };

export function CreateKey(target: CreateKeyProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button variant="primary" onClick={() => setIsOpen(true)}>
        <Plus aria-hidden />
        Create key
      </Button>
      {isOpen && <CreateKeyDialog {...target} close={() => setIsOpen(false)} />}
    </>
  );
}
