"use client";

import type { ReactNode } from "react";
import { loadOnClient } from "@/components/ui/dialog/load-on-client";
import { RefusedActionScope } from "@/components/ui/states/refused-action";

/** Every screen has the scope, and few are refused. */
const AskForPermission = loadOnClient(() =>
  import("./ask-for-permission").then((file) => file.AskForPermission),
);

/** Lets a member ask for access wherever a screen or a part of it is refused. A key's role never changes. */
export function AskForAccessScope({ isMember, children }: { isMember: boolean; children: ReactNode }) {
  return <RefusedActionScope render={isMember ? renderAsk : null}>{children}</RefusedActionScope>;
}

const renderAsk = (permission: string) => <AskForPermission permission={permission} />;
