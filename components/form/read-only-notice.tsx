import type { Permission } from "@/lib/contract/permissions";
import { Notice } from "../ui/notice";

type ReadOnlyNoticeProps = {
  /** What the form shows: "these limits". */
  what: string;
  /** What it takes to change them. */
  permission: Permission;
};

/** Above a form whose fields one may only read: why, and who can help. */
export function ReadOnlyNotice({ what, permission }: ReadOnlyNoticeProps) {
  return (
    <Notice title={`You can see ${what}, not change them`}>
      It takes <code className="font-mono">{permission}</code>. Someone with the Owner or Admin role can give
      it to you.
    </Notice>
  );
}
