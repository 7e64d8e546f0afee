"use client";

import { keepPreviousData } from "@tanstack/react-query";
import { useState } from "react";
import { useAction } from "@/components/queries/actions/use-action";
import { useActionQuery } from "@/components/queries/actions/use-action-query";
import { type Project, readsShowingRoles } from "@/components/roles/principal";
import { Button } from "@/components/ui/button";
import { CancelButton } from "@/components/ui/dialog/cancel-button";
import { Dialog } from "@/components/ui/dialog/dialog";
import { toast } from "@/components/ui/dialog/toast";
import { Notice } from "@/components/ui/notice";
import { countNouns } from "@/components/ui/values/group-digits";
import type { User } from "@/lib/contract/operations/people/users";
import { ActionFields } from "./action-fields";
import { changeMembers, previewMembers } from "./many-actions";
import { type ActionType, actionWords, type Choice, toAction } from "./member-action";
import { MembersEffect } from "./members-effect";

type ChangeMembersDialogProps = {
  type: ActionType;
  members: readonly User[];
  projects: readonly Project[];
  close: () => void;
  /** Called once it is done. */
  done: () => void;
};

/** One change for several members, with what it does to each before it is made. All or none. */
export function ChangeMembersDialog({ type, members, projects, close, done }: ChangeMembersDialogProps) {
  const [choice, setChoice] = useState<Choice>({ type, roleId: "", projectId: "", groupId: "" });
  const action = toAction(choice);
  const ids = members.map(({ id }) => id);
  const preview = useActionQuery({
    queryKey: ["user-changes", action, ids],
    ask: () => previewMembers({ user_ids: ids, action: action ?? { type: "remove" } }),
    enabled: action !== null,
    placeholderData: keepPreviousData,
  });
  const run = useAction(changeMembers, {
    refetch: [...readsShowingRoles, "listGroupUsers"],
    onSuccess: ({ members: changed }) => {
      const count = changed.filter((member) => member.is_changed).length;
      toast({ message: `${countNouns(count, "member")} ${type === "remove" ? "removed" : "changed"}` });
      done();
    },
  });
  const shown = action === null ? undefined : preview.data;
  const changes = shown?.members.filter((member) => member.is_changed).length ?? 0;
  const { label, description } = actionWords[type];
  const isReady = shown !== undefined && !preview.isFetching && shown.refusal === null && changes > 0;
  return (
    <Dialog
      open
      position="wide"
      onClose={close}
      title={`${label}: ${countNouns(members.length, "member")}`}
      description={description}
      isBusy={run.isPending}
      footer={
        <>
          <CancelButton />
          <Button
            variant={type === "remove" ? "danger" : "primary"}
            pending={run.isPending}
            disabled={!isReady}
            onClick={() => action && run.mutate({ user_ids: ids, action })}
          >
            {type === "remove" ? "Remove" : "Change"} {countNouns(changes, "member")}
          </Button>
        </>
      }
    >
      <div className="grid gap-4">
        <ActionFields
          choice={choice}
          choose={(change) => setChoice({ ...choice, ...change })}
          projects={projects}
        />
        {run.error && (
          <Notice tone="bad" title="Nobody was changed">
            {run.error.problem.message}
          </Notice>
        )}
        {action !== null && preview.error && (
          <Notice tone="near" title="Could not be worked out">
            {preview.error.message}
          </Notice>
        )}
        {shown && <MembersEffect preview={shown} isOld={preview.isFetching} />}
      </div>
    </Dialog>
  );
}
