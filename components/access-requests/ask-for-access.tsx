"use client";

import { usePathname } from "next/navigation";
import type { ReactNode } from "react";
import { RefusedActionScope } from "@/components/ui/states/refused-action";
import { EVERY_PROJECT } from "@/lib/console/every-project";
import { findProjectIn } from "@/lib/console/paths";
import { isPermission } from "@/lib/contract/access/permissions";
import { AskButton } from "./ask-button";

/** Lets a member ask for access wherever a screen or a part of it is refused. A key's role never changes. */
export function AskForAccessScope({ isMember, children }: { isMember: boolean; children: ReactNode }) {
  return <RefusedActionScope render={isMember ? renderAsk : null}>{children}</RefusedActionScope>;
}

const renderAsk = (permission: string) => <AskForAccess permission={permission} />;

function AskForAccess({ permission }: { permission: string }) {
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
