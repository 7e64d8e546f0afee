"use client";

import { History } from "lucide-react";
import { useHolds } from "@/components/shell/held-permissions";
import { LinkButton } from "@/components/ui/links/link-button";
import { Tooltip } from "@/components/ui/tooltip";
import { paths } from "@/lib/console/paths";

type HistoryLinkProps = {
  /** The object's id in the audit log. Omit it for all events of the project. */
  id?: string;
  projectId?: string | undefined;
  /** The object's name, for an icon button in a list row. */
  rowName?: string;
};

/** Links to an object's changes, for people who can see them. */
export function HistoryLink({ id, projectId, rowName }: HistoryLinkProps) {
  const canSee = useHolds("api.audit_logs.read");
  if (!canSee) return null;
  const href = paths.auditLogs({ resource_ids: id, project_ids: projectId });
  if (rowName === undefined) {
    return (
      <LinkButton href={href}>
        <History aria-hidden />
        History
      </LinkButton>
    );
  }
  const label = `History of “${rowName}”`;
  return (
    <Tooltip content={label} repeatsName>
      <LinkButton
        href={href}
        variant="ghost"
        className="size-6! p-0! text-muted pointer-coarse:size-11!"
        aria-label={label}
      >
        <History aria-hidden />
      </LinkButton>
    </Tooltip>
  );
}
