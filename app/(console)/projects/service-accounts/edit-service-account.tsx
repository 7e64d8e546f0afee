"use client";

import { Pencil } from "lucide-react";
import dynamic from "next/dynamic";
import { useState } from "react";
import { useReopen } from "@/components/form/draft-scope";
import { IconButton } from "@/components/ui/icon-button";
import type { ServiceAccount } from "@/lib/contract/operations/service-accounts";

const EditAccountDialog = dynamic(
  () => import("./edit-service-account-dialog").then((file) => file.EditServiceAccountDialog),
  { ssr: false },
);

export function EditServiceAccount({ projectId, account }: { projectId: string; account: ServiceAccount }) {
  const [isOpen, setIsOpen] = useState(false);
  const formName = `service-account-${account.id}`;
  useReopen(formName, () => setIsOpen(true));
  return (
    <>
      <IconButton
        size="small"
        label={`Change the service account “${account.name}”`}
        icon={<Pencil />}
        onClick={() => setIsOpen(true)}
      />
      {isOpen && (
        <EditAccountDialog
          projectId={projectId}
          account={account}
          formName={formName}
          close={() => setIsOpen(false)}
        />
      )}
    </>
  );
}
