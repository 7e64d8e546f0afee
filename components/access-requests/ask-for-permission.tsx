"use client";

import { usePathname } from "next/navigation";
import { EVERY_PROJECT } from "@/lib/console/every-project";
import { findProjectIn } from "@/lib/console/paths";
import { isPermission } from "@/lib/contract/access/permissions";
import { AskButton } from "./ask-button";

/** Asks for a permission, in the project of the address if it names one. */
export function AskForPermission({ permission }: { permission: string }) {
  const named = findProjectIn(usePathname());
  if (!isPermission(permission)) return null;
  const project_id = named === undefined || named === EVERY_PROJECT ? null : named;
  return (
    <AskButton
      draft={{ permission, project_id }}
      label="Ask for access"
      answeredBy="someone who can assign roles here: they see it on their overview"
      tryAgain={() => window.location.reload()}
    />
  );
}
