"use client";

import { useState } from "react";
import { deleteAdminKey } from "@/components/keys/key-form-actions";
import { useAction } from "@/components/queries/actions/use-action";
import { Button } from "@/components/ui/button";
import { toast } from "@/components/ui/dialog/toast";
import { TextLink } from "@/components/ui/links/text-link";
import { Notice } from "@/components/ui/notice";
import { RelativeTime } from "@/components/ui/time/relative-time";
import { paths } from "@/lib/console/paths";
import type { FoundApiKey } from "@/lib/contract/operations/keys/found-api-keys";
import { deleteKey } from "./key-actions";

const titles = {
  active: "This key still works",
  expired: "This key has expired: it is refused",
  revoked: "This key was revoked: it is refused",
};

/** Shows who owns a found key, and a button to revoke it. */
export function FoundKey({ found, close }: { found: FoundApiKey; close: () => void }) {
  const { status, project_api_key: ofProject, admin_api_key: ofAdmin, project } = found;
  const key = ofProject ?? ofAdmin;
  if (!key) return null;
  return (
    <Notice
      tone={status === "active" ? "bad" : "good"}
      role="status"
      title={titles[status]}
      actions={status === "active" && <Revoke found={found} close={close} />}
    >
      “{key.name}” ({key.redacted_value}),{" "}
      {project ? (
        <>
          a key of project{" "}
          <TextLink href={paths.keys(project.id)} className="underline">
            {project.name}
          </TextLink>
        </>
      ) : (
        <>
          an{" "}
          <TextLink href={paths.adminKeys()} className="underline">
            admin key
          </TextLink>
        </>
      )}
      , created <RelativeTime at={key.created_at} />
      {key.last_used_at === null ? ", never used" : ", last used "}
      {key.last_used_at !== null && <RelativeTime at={key.last_used_at} />}.
    </Notice>
  );
}

/** Revokes the key after a second click. There is no dialog, since the key has leaked already. */
function Revoke({ found, close }: { found: FoundApiKey; close: () => void }) {
  const [isAsking, setIsAsking] = useState(false);
  const { project_api_key: ofProject, admin_api_key: ofAdmin, project } = found;
  const options = {
    onSuccess: () => {
      toast({ message: `Key “${(ofProject ?? ofAdmin)?.name}” revoked` });
      close();
    },
  };
  const revokeProjectKey = useAction(deleteKey, { ...options, refetch: ["listProjectApiKeys"] });
  const revokeAdminKey = useAction(deleteAdminKey, { ...options, refetch: ["listAdminApiKeys"] });
  const run = ofProject ? revokeProjectKey : revokeAdminKey;
  function revoke() {
    if (ofProject && project) {
      revokeProjectKey.mutate({ projectId: project.id, keyId: ofProject.id, version: ofProject.version });
    } else if (ofAdmin) {
      revokeAdminKey.mutate({ keyId: ofAdmin.id, version: ofAdmin.version });
    }
  }
  return (
    <div className="grid justify-items-start gap-2">
      {isAsking ? (
        <Button variant="danger" pending={run.isPending} onClick={revoke}>
          Revoke it now: programs that use it are refused
        </Button>
      ) : (
        <Button onClick={() => setIsAsking(true)}>Revoke this key</Button>
      )}
      {run.error && <p role="alert">{run.error.problem.message}</p>}
    </div>
  );
}
