"use client";

import { ConfirmedAction } from "@/components/queries/actions/confirmed-action";
import { Button } from "@/components/ui/button";
import type { Group } from "@/lib/contract/operations/people/groups";
import { takeGroup } from "./actions";

/** Lets people change a group that a directory keeps. */
export function TakeGroup({
  group: { id, name, version },
}: {
  group: Group & { version?: string | undefined };
}) {
  return (
    <ConfirmedAction
      renderButton={(ask) => <Button onClick={ask}>Take from the directory</Button>}
      title={`Take the group “${name}” from the directory?`}
      confirmLabel="Take group"
      danger={false}
      action={takeGroup}
      input={{ groupId: id, version }}
      refetch={["retrieveGroup", "listGroups"]}
      done={() => `Group “${name}” can be changed here now`}
    >
      Its members and roles stay, and can be changed here. If the directory changes it again, the directory
      keeps it again: stop sending it there first.
    </ConfirmedAction>
  );
}
