"use client";

import { Notice } from "@/components/ui/notice";
import type { Permission } from "@/lib/contract/access/permissions";

type ReadOnlyNoticeProps = {
  /** The content of the form: "these limits". */
  what: string;
  /** The permission needed to change it. */
  permission: Permission;
};

/** Shown above a read-only form: why it can't be edited and who can help. */
export function ReadOnlyNotice({ what, permission }: ReadOnlyNoticeProps) {
  return (
    <Notice title={`You can view ${what} but not change them`}>
      You need the permission <code className="font-mono">{permission}</code>. Someone with the Owner or Admin
      role can give it to you.
    </Notice>
  );
}
