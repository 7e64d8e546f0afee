"use client";

import { Pencil, Share2, Trash2 } from "lucide-react";
import { useRouter } from "next/navigation";
import { changePrompt, deletePrompt } from "@/components/prompts/actions";
import { ConfirmedAction } from "@/components/queries/actions/confirmed-action";
import { Button } from "@/components/ui/button";
import { loadOnClient } from "@/components/ui/dialog/load-on-client";
import { useObjectGone } from "@/components/ui/drafts/object-gone";
import { useFormDialog } from "@/components/ui/form/use-form-dialog";

import { paths } from "@/lib/console/paths";
import type { Prompt } from "@/lib/contract/operations/playground/prompts";

const RenamePrompt = loadOnClient(() => import("./rename-prompt").then((file) => file.RenamePrompt));

const promptChanges = ["retrievePrompt", "listPrompts"] as const;

type PromptActionsProps = { prompt: Prompt; canWrite: boolean };

/** Renames, shares and deletes a prompt, if the person may. */
export function PromptActions({ prompt, canWrite }: PromptActionsProps) {
  const router = useRouter();
  const renaming = useFormDialog("rename-prompt", canWrite);
  const { isGone } = useObjectGone();
  if (!canWrite) return null;
  const { id: promptId, project_id: projectId, name, version, is_shared } = prompt;
  const about = { projectId, promptId, version };
  return (
    <div className="flex flex-wrap gap-2">
      {!isGone && (
        <Button onClick={renaming.open}>
          <Pencil aria-hidden />
          Rename
        </Button>
      )}
      {prompt.is_own && (
        <ConfirmedAction
          renderButton={(ask) =>
            !isGone && (
              <Button onClick={ask}>
                <Share2 aria-hidden />
                {is_shared ? "Stop sharing" : "Share"}
              </Button>
            )
          }
          title={is_shared ? `Make “${name}” private?` : `Share “${name}” with the project?`}
          confirmLabel={is_shared ? "Make it private" : "Share with the project"}
          action={changePrompt}
          input={{ ...about, change: { is_shared: !is_shared } }}
          refetch={[...promptChanges]}
          done={() =>
            is_shared ? `Only you can read “${name}” now` : `“${name}” is shared with the project`
          }
        >
          {is_shared
            ? "Others of the project can no longer read it, nor its runs."
            : "Members of the project whose role lets them read prompts can read and run it, with its cases and runs. Those who may change prompts can save new versions, and delete it."}
        </ConfirmedAction>
      )}
      <ConfirmedAction
        renderButton={(ask) =>
          !isGone && (
            <Button onClick={ask}>
              <Trash2 aria-hidden />
              Delete
            </Button>
          )
        }
        title={`Delete “${name}”?`}
        confirmLabel="Delete prompt"
        action={deletePrompt}
        input={about}
        refetch={["listPrompts"]}
        done={() => `“${name}” deleted`}
        leave={() => router.push(paths.prompts(projectId))}
      >
        Its {prompt.latest_version === 1 ? "version" : `${prompt.latest_version} versions`}, cases and runs
        are deleted, too. This can’t be undone.
      </ConfirmedAction>
      {renaming.isOpen && <RenamePrompt prompt={prompt} close={renaming.close} />}
    </div>
  );
}
