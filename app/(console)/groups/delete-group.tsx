"use client";

import { Trash2 } from "lucide-react";
import { useRouter } from "next/navigation";
import { ConfirmedAction } from "@/components/queries/actions/confirmed-action";
import { useRead } from "@/components/queries/reads/use-read";
import { readsShowingRoles } from "@/components/roles/principal";
import { Button } from "@/components/ui/button";
import { formatCount } from "@/components/ui/values/group-digits";
import { paths } from "@/lib/console/paths";
import type { Group } from "@/lib/contract/operations/people/groups";
import { deleteGroup } from "./actions";
import { groupReads } from "./group-reads";

export function DeleteGroup({
  group: { id, name, version },
}: {
  group: Group & { version?: string | undefined };
}) {
  const router = useRouter();
  const members = useRead(...groupReads(id).members).data;
  const count = members && !members.has_more ? members.data.length : null;
  return (
    <ConfirmedAction
      renderButton={(ask) => (
        <Button onClick={ask}>
          <Trash2 aria-hidden />
          Delete group
        </Button>
      )}
      title={`Delete the group “${name}”?`}
      confirmLabel="Delete group"
      action={deleteGroup}
      input={{ groupId: id, version }}
      refetch={["listGroups", ...readsShowingRoles]}
      done={() => `Group “${name}” deleted`}
      leave={() => router.push(paths.groups())}
    >
      {count === null
        ? "What its members hold"
        : `What its ${formatCount(count)} ${count === 1 ? "member holds" : "members hold"}`}{" "}
      through it ends at once. The members themselves stay. This can’t be undone.
    </ConfirmedAction>
  );
}
