"use client";

import { keepPreviousData } from "@tanstack/react-query";
import { useActionQuery } from "@/components/queries/actions/use-action-query";
import { describePermission } from "@/components/roles/permission-groups";
import { useDebounced } from "@/components/ui/browser/use-debounced";
import { Card } from "@/components/ui/card";
import { Notice } from "@/components/ui/notice";
import { Section } from "@/components/ui/section";
import { Skeleton } from "@/components/ui/states/skeleton";
import type { ActionReply } from "@/lib/console/gateway/problem";
import type { Permission } from "@/lib/contract/access/permissions";
import type { RolePreview } from "@/lib/contract/operations/people/roles";
import { previewProjectRole, previewRole } from "./preview-actions";

/** Delay that combines several clicks into one request. */
const SETTLED_MS = 300;

type RolePreviewSectionProps = {
  role: { id: string; version?: string | undefined };
  /** Null for a role of the organization. */
  projectId: string | null;
  /** The permissions of the changed role. Nothing is shown if they are the present ones. */
  permissions: readonly string[];
  isChanged: boolean;
};

/** Shows, before saving, who would gain and lose which permissions. */
export function RolePreviewSection({ role, projectId, permissions, isChanged }: RolePreviewSectionProps) {
  const settled = useDebounced(permissions.toSorted().join(" "), SETTLED_MS);
  const preview = useActionQuery({
    queryKey: ["role-preview", projectId, role.id, role.version, settled],
    ask: () => askPreview(role.id, projectId, settled.split(" ")),
    enabled: isChanged && settled !== "",
    placeholderData: keepPreviousData,
  });
  if (!isChanged || settled === "") return null;
  return (
    <Section title="What saving it does" description="Calculated by the gateway. Nothing has changed yet.">
      <div role="status" aria-busy={preview.isFetching}>
        {preview.data && <PreviewCard {...preview.data} />}
        {!preview.data && !preview.error && <Skeleton className="h-16 w-full" />}
        {!preview.data && preview.error && (
          <Notice tone="near" title="Could not be worked out">
            {preview.error.message}
          </Notice>
        )}
      </div>
    </Section>
  );
}

function askPreview(
  roleId: string,
  projectId: string | null,
  named: readonly string[],
): Promise<ActionReply<RolePreview>> {
  // The gateway refuses unknown names with a message.
  const change = { permissions: named as Permission[] };
  return projectId === null
    ? previewRole({ roleId, change })
    : previewProjectRole({ roleId, projectId, change });
}

function PreviewCard({ adds, removes, members, admin_keys: keys, refusal }: RolePreview) {
  const touched = members.filter(({ gains, loses }) => gains.length + loses.length > 0);
  const isUnheld = members.length === 0 && keys.length === 0;
  return (
    <div className="grid gap-3">
      {refusal && (
        <Notice tone="bad" title="Saving would be refused">
          {refusal.message}
        </Notice>
      )}
      <Card flush>
        {keys.length > 0 && (
          <Holder name={describeKeys(keys.map(({ name }) => name))} gains={adds} loses={removes} />
        )}
        {touched.map(({ id, name, gains, loses }) => (
          <Holder key={id} name={name} gains={gains} loses={loses} />
        ))}
        {touched.length === 0 && keys.length === 0 && (
          <p className="px-3 py-2.5 text-muted">
            {isUnheld
              ? "No one has this role."
              : "No one gains or loses permissions, since its holders have them through other roles."}
          </p>
        )}
      </Card>
      {members.length > touched.length && touched.length > 0 && (
        <p className="text-sm text-muted">
          For {members.length - touched.length} more nothing changes: other roles give them the same.
        </p>
      )}
    </div>
  );
}

type HolderProps = { name: string; gains: readonly string[]; loses: readonly string[] };

function Holder({ name, gains, loses }: HolderProps) {
  return (
    <div className="border-b px-3 py-2.5 last:border-b-0">
      <p className="font-medium wrap-anywhere">{name}</p>
      <Names word="Gains" names={gains} className="text-success" />
      <Names word="Loses" names={loses} className="text-danger" />
    </div>
  );
}

function Names({ word, names, className }: { word: string; names: readonly string[]; className: string }) {
  if (names.length === 0) return null;
  return (
    <div className="text-sm">
      <span className={className}>{word}</span>
      <ul className="ml-4 list-disc text-muted">
        {names.map((name) => (
          <li key={name} title={name} className="wrap-anywhere">
            {describePermission(name)}
          </li>
        ))}
      </ul>
    </div>
  );
}

function describeKeys(names: readonly string[]): string {
  return `${names.length === 1 ? "Admin key" : "Admin keys"} ${names.map((name) => `“${name}”`).join(", ")}`;
}
