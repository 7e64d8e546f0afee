"use client";

import { useRead } from "@/components/queries/reads/use-read";
import { ReadState } from "@/components/queries/states/read-state";
import { rolesRead } from "@/components/roles/member-reads";
import { Notice } from "@/components/ui/notice";
import { Page, PageHead } from "@/components/ui/page";
import { RefusedState } from "@/components/ui/states/refused-state";
import { FormSkeleton } from "@/components/ui/states/skeleton";
import type { Role } from "@/lib/contract/operations/people/roles";
import { NewRoleForm } from "./new-role-form";

type NewRoleScreenProps = {
  support: "everything" | "specification";
  baseUrl: string;
  /** The id of a role to copy. */
  copiedRoleId?: string | undefined;
  canWrite?: boolean;
  /** The person's permissions in the organization; null if they aren't known. */
  held?: readonly string[] | null;
};

export function NewRoleScreen(props: NewRoleScreenProps) {
  const { support, baseUrl, copiedRoleId, canWrite = true, held = null } = props;
  const onlyCreates = support === "specification";
  return (
    <Page width="grid">
      <PageHead
        title="Create role"
        sentence={
          onlyCreates
            ? "This gateway can’t list roles, only create them. Its reply is shown here."
            : "A set of permissions with a name, for members, groups and admin keys to hold."
        }
      />
      {!canWrite && <RefusedState to="create roles" permissions={["api.roles.write"]} />}
      {canWrite && (onlyCreates || !copiedRoleId) && (
        <NewRoleForm onlyCreates={onlyCreates} baseUrl={baseUrl} held={held} />
      )}
      {canWrite && !onlyCreates && copiedRoleId && (
        <CopyRole roleId={copiedRoleId} baseUrl={baseUrl} held={held} />
      )}
    </Page>
  );
}

type CopyRoleProps = { roleId: string; baseUrl: string; held: readonly string[] | null };

function CopyRole({ roleId, baseUrl, held }: CopyRoleProps) {
  const roles = useRead(...rolesRead);
  return (
    <ReadState read={roles} to="read the role to copy" skeleton={<FormSkeleton fields={4} />}>
      {({ data }) => {
        const original = data.find(({ id }) => id === roleId);
        // A running refetch may bring a role that was only just created.
        if (!original && roles.isFetching) return <FormSkeleton fields={4} />;
        return (
          <>
            <div className="mb-6 max-w-[560px]">
              {original ? <CopyNotice original={original} /> : <NothingToCopy roleId={roleId} />}
            </div>
            <NewRoleForm onlyCreates={false} baseUrl={baseUrl} original={original} held={held} />
          </>
        );
      }}
    </ReadState>
  );
}

function CopyNotice({ original }: { original: Role }) {
  return (
    <Notice>Copied from the role “{original.name}”. A later change to one does not change the other.</Notice>
  );
}

function NothingToCopy({ roleId }: { roleId: string }) {
  return (
    <Notice tone="near" title="There is no such role to copy">
      No role has the id <code className="font-mono break-all">{roleId}</code>. You can start from an empty
      one.
    </Notice>
  );
}
