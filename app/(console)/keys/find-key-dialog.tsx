"use client";

import { useState } from "react";
import * as z from "zod/mini";
import { deleteAdminKey } from "@/components/keys/key-form-actions";
import { showProblem } from "@/components/queries/actions/show-problem";
import { useAction } from "@/components/queries/actions/use-action";
import { Button } from "@/components/ui/button";
import { toast } from "@/components/ui/dialog/toast";
import { TextField } from "@/components/ui/fields/text-field";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { useNewForm } from "@/components/ui/form/use-schema-form";
import { TextLink } from "@/components/ui/links/text-link";
import { Notice } from "@/components/ui/notice";
import { RelativeTime } from "@/components/ui/time/shown-time";
import { paths } from "@/lib/console/paths";
import type { FoundApiKey } from "@/lib/contract/operations/keys/key-changes";
import { deleteKey, findKey } from "./actions";

/** A whole key, anywhere in the pasted text. */
const KEY = /gk_(?:live|admin)_[0-9A-Za-z]{49}/;
const search = z.strictObject({
  value: z.string().check(
    z.refine((text) => KEY.test(text), {
      message: "must contain a complete key: gk_live_ or gk_admin_ followed by 49 characters",
    }),
  ),
});

/** Asks for a key that was found somewhere, and says who owns it. Doesn't store the pasted text. */
export function FindKeyDialog({ close }: { close: () => void }) {
  const form = useNewForm(search, { value: "" });
  const find = useAction(findKey, { onError: ({ problem }) => showProblem(form, ["value"], problem) });
  return (
    <FormDialog
      form={form}
      name="find-key"
      what="the pasted key"
      isGuarded={false}
      labels={{ value: "Key" }}
      title="Find a key"
      description="Paste a key that was found in a log, a chat or a repository to see who owns it and revoke it. It is sent only to the gateway and not stored."
      submit="Find key"
      pending={find.isPending}
      close={close}
      onSubmit={({ value }) => find.mutate({ value: KEY.exec(value)?.[0] ?? value })}
    >
      <TextField
        control={form.control}
        name="value"
        label="Key"
        type="password"
        autoComplete="off"
        mono
        help="The whole key. The text around it may be pasted too."
      />
      {find.data && <FoundKey found={find.data} close={close} />}
    </FormDialog>
  );
}

const titles = {
  active: "This key still works",
  expired: "This key has expired: it is refused",
  revoked: "This key was revoked: it is refused",
};

/** Shows who owns a found key, and a button to revoke it. */
function FoundKey({ found, close }: { found: FoundApiKey; close: () => void }) {
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
