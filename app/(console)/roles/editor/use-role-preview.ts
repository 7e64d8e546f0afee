"use client";

import { keepPreviousData } from "@tanstack/react-query";
import { previewProjectRole, previewRole } from "@/app/(console)/roles/actions";
import { useActionQuery } from "@/components/queries/actions/use-action-query";
import { useDebounced } from "@/components/ui/browser/use-debounced";
import type { Permission } from "@/lib/contract/access/permissions";

/** Delay that combines several clicks into one request. */
const SETTLED_MS = 300;

type PreviewedRole = {
  readonly id: string;
  readonly version?: string | undefined;
  /** Null for a role of the organization. */
  readonly projectId: string | null;
};

/** What saving would do to everybody, calculated by the gateway. Asks nothing while nothing is changed. */
export function useRolePreview(role: PreviewedRole, permissions: readonly string[], isChanged: boolean) {
  const typed = permissions.toSorted().join(" ");
  const settled = useDebounced(typed, SETTLED_MS);
  const isAsked = isChanged && settled !== "";
  const preview = useActionQuery({
    queryKey: ["role-preview", role.projectId, role.id, role.version, settled],
    ask: () => {
      // The gateway refuses unknown names with a message.
      const change = { permissions: settled.split(" ") as Permission[] };
      return role.projectId === null
        ? previewRole({ roleId: role.id, change })
        : previewProjectRole({ roleId: role.id, projectId: role.projectId, change });
    },
    enabled: isAsked,
    placeholderData: keepPreviousData,
  });
  return {
    data: isAsked ? preview.data : undefined,
    error: isAsked ? preview.error : null,
    /** Whether the figures are those of an earlier choice. */
    isOld: isAsked && (preview.isFetching || settled !== typed),
  };
}
