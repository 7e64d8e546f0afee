"use client";

import { useAction, useCreate } from "@/components/queries/actions/use-action";
import { toast } from "@/components/ui/dialog/toast";
import { countNouns } from "@/components/ui/values/group-digits";
import { saveLimitChanges, undoLimitChanges } from "../actions";
import { limitReads } from "./grid-reads";
import type { LimitDraft } from "./limit-draft";
import { type ListedChange, toRequest, withoutSent } from "./list-changes";

/** Takes a saved set of changes back, and names what stays because somebody changed it since. */
export function useUndoSaved() {
  return useAction(undoLimitChanges, {
    refetch: limitReads,
    onSuccess: ({ undone, left }) => {
      const done = countNouns(
        undone.reduce((sum, { after }) => sum + Object.keys(after).length, 0),
        "limit",
      );
      const names = left.map(
        ({ model, default_id, by }) =>
          `${model ?? default_id ?? "every model"}${by === null ? "" : ` by ${by}`}`,
      );
      const stays =
        left.length > 0
          ? ` ${countNouns(left.length, "limit")} changed since stays: ${names.join(", ")}.`
          : "";
      toast({ message: `Put ${done} back.${stays}`, tone: left.length > 0 ? "neutral" : "good" });
    },
    onError: ({ problem }) => toast({ message: problem.message, tone: "bad" }),
  });
}

/** Saves the changes all or none, and offers to take them back. What was typed meanwhile stays in the draft. */
export function useSaveDraft(draft: LimitDraft, { done }: { done?: () => void } = {}) {
  const undo = useUndoSaved();
  const save = useCreate(saveLimitChanges, { refetch: limitReads });
  return {
    isPending: save.isPending,
    problem: save.error?.problem ?? null,
    save: (changes: readonly ListedChange[]) =>
      save.mutate(
        { changes: toRequest(changes) },
        {
          onSuccess: ({ id }) => {
            draft.replace(withoutSent(draft, changes));
            toast({
              message: `Saved ${countNouns(changes.length, "change")}`,
              action: { label: "Undo", onAct: () => undo.mutate({ changesId: id }) },
            });
            done?.();
          },
        },
      ),
  };
}
