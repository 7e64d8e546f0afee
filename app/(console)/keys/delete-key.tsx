import { Trash2 } from "lucide-react";
import { ConfirmedAction } from "@/components/queries/actions/confirmed-action";
import { IconButton } from "@/components/ui/icon-button";
import { RelativeTime } from "@/components/ui/time/relative-time";
import type { ProjectApiKey } from "@/lib/contract/operations/keys/project-api-keys";
import { deleteKey } from "./key-actions";

type DeleteKeyProps = { projectId: string; target: ProjectApiKey };

export function DeleteKey({ projectId, target }: DeleteKeyProps) {
  const { id, name, version, last_used_at: usedAt } = target;
  return (
    <ConfirmedAction
      renderButton={(ask) => (
        <IconButton size="small" label={`Delete key “${name}”`} icon={<Trash2 />} onClick={ask} />
      )}
      title={`Delete the key “${name}”?`}
      confirmLabel="Delete key"
      action={deleteKey}
      input={{ projectId, keyId: id, version }}
      refetch={["listProjectApiKeys"]}
      done={() => `Key “${name}” deleted`}
    >
      Calls with it are refused immediately, including those of running programs.{" "}
      {usedAt === null ? (
        "It has never been used."
      ) : (
        <>
          It was last used <RelativeTime at={usedAt} />.
        </>
      )}{" "}
      What it has used stays in the ledger. This can’t be undone.
    </ConfirmedAction>
  );
}
