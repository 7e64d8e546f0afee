"use client";

import { keepPreviousData } from "@tanstack/react-query";
import { useState } from "react";
import { useWatch } from "react-hook-form";
import { changeKeys, previewKeys } from "@/app/(console)/keys/actions";
import { toKeyScopeFields, unlimitedScope } from "@/app/(console)/keys/key-scope";
import { keyScopeForm } from "@/app/(console)/keys/key-scope-form";
import { type KeyLifetime, lifetimeOptions, toExpiry } from "@/components/keys/key-lifetime";
import { ChangeManyDialog } from "@/components/queries/actions/change-many-dialog";
import { useAction } from "@/components/queries/actions/use-action";
import { useActionQuery } from "@/components/queries/actions/use-action-query";
import { classNames } from "@/components/ui/class-names";
import { toast } from "@/components/ui/dialog/toast";
import { ChoiceSelect } from "@/components/ui/fields/choice-select";
import { useNewForm } from "@/components/ui/form/use-schema-form";
import { Notice } from "@/components/ui/notice";
import { RelativeTime } from "@/components/ui/time/shown-time";
import { countNouns, formatCount } from "@/components/ui/values/group-digits";
import type { KeyAction, KeyChangesPreview } from "@/lib/contract/operations/keys/key-changes";
import type { ProjectApiKey } from "@/lib/contract/operations/keys/project-api-keys";
import { KeyScopeFields } from "../key-scope-fields";

const words = {
  set_scope: {
    title: "Limit",
    description: "Takes the place of the limits that each of them has, from the next call on.",
    verb: "Limit",
    done: "limited",
  },
  expire: {
    title: "Let expire",
    description: "Counted from now. Until then they work as before.",
    verb: "Let expire",
    done: "will expire",
  },
  revoke: {
    title: "Delete",
    description:
      "Calls with them are refused at once, including those of running programs. What they have used stays in the ledger. This can’t be undone.",
    verb: "Delete",
    done: "deleted",
  },
} as const;

type ChangeKeysDialogProps = {
  type: KeyAction["type"];
  projectId: string;
  keys: readonly ProjectApiKey[];
  close: () => void;
  /** Called once it is done. */
  done: () => void;
};

/** One change for several keys, with the calls that it would have refused before it is made. All or none. */
export function ChangeKeysDialog({ type, projectId, keys, close, done }: ChangeKeysDialogProps) {
  const [lifetime, setLifetime] = useState<KeyLifetime>("30");
  const form = useNewForm(keyScopeForm, unlimitedScope);
  const scope = useWatch({ control: form.control });
  const action = toAction(type, { lifetime, scope });
  const ids = keys.map(({ id }) => id);
  const preview = useActionQuery({
    queryKey: ["key-changes", projectId, action, ids],
    ask: () => previewKeys({ projectId, key_ids: ids, action }),
    placeholderData: keepPreviousData,
  });
  const run = useAction(changeKeys, {
    refetch: ["listProjectApiKeys"],
    onSuccess: ({ keys: changed }) => {
      const count = changed.filter((key) => key.is_changed).length;
      toast({ message: `${countNouns(count, "key")} ${words[type].done}` });
      done();
    },
  });
  const shown = preview.data;
  const changes = shown?.keys.filter((key) => key.is_changed).length ?? 0;
  return (
    <ChangeManyDialog
      label={words[type].title}
      count={keys.length}
      noun="key"
      description={words[type].description}
      verb={words[type].verb}
      isDanger={type === "revoke"}
      changes={changes}
      isRefused={Boolean(shown?.refusal)}
      preview={preview}
      run={run}
      unchanged="No key was changed"
      onRun={() => run.mutate({ projectId, key_ids: ids, action })}
      close={close}
      fields={
        type === "expire" && (
          <ChoiceSelect
            label="Expires"
            value={lifetime}
            options={lifetimeOptions.filter(({ value }) => value !== "never")}
            choose={(value) => setLifetime(value as KeyLifetime)}
          />
        )
      }
    >
      {shown && <KeysEffect preview={shown} type={type} isOld={preview.isFetching} />}
      {/* Below: the list of models is long, and what it does must stay in sight. */}
      {type === "set_scope" && <KeyScopeFields control={form.control} />}
    </ChangeManyDialog>
  );
}

function toAction(
  type: KeyAction["type"],
  { lifetime, scope }: { lifetime: KeyLifetime; scope: Parameters<typeof toKeyScopeFields>[0] },
): KeyAction {
  if (type === "revoke") return { type };
  if (type === "set_scope") return { type, ...toKeyScopeFields(scope) };
  return { type, expires_in_seconds: toExpiry(lifetime).expires_in_seconds ?? 0 };
}

type KeysEffectProps = { preview: KeyChangesPreview; type: KeyAction["type"]; isOld: boolean };

/** What a change does to each key, and how many of its calls of the last days it would have refused. */
function KeysEffect({ preview: { keys, days, refusal }, type, isOld }: KeysEffectProps) {
  const blamed = keys.find(({ id }) => id === refusal?.key_id);
  const refused = keys.reduce((sum, key) => sum + (key.refused_calls ?? 0), 0);
  const seesCalls = keys.some(({ calls }) => calls !== null);
  return (
    <div role="status" aria-busy={isOld} className={classNames("grid gap-3", isOld && "opacity-60")}>
      {refusal && (
        <Notice tone="bad" title={`Refused because of ${blamed?.name ?? "a key"}: no key is changed`}>
          {refusal.message}
        </Notice>
      )}
      {seesCalls && (
        <p className={classNames("text-sm", refused > 0 ? "text-danger" : "text-muted")}>
          {type === "expire"
            ? "Once they have expired, all their calls are refused."
            : refused > 0
              ? `It would have refused ${countNouns(refused, "call")} of the last ${days} days.`
              : `It would have refused no call of the last ${days} days.`}
          {type === "set_scope" && " Models are counted; which endpoints were called isn’t."}
        </p>
      )}
      <ul aria-label="Keys" className="max-h-56 divide-y overflow-y-auto rounded-md border px-3">
        {keys.map((key) => (
          <li key={key.id} className="flex items-baseline justify-between gap-3 py-1.5 text-sm">
            <span className={classNames("min-w-0 truncate", !key.is_changed && "text-muted")}>
              {key.name}
            </span>
            <span className="text-right text-xs text-muted">
              <KeyEffect of={key} />
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}

function KeyEffect({ of }: { of: KeyChangesPreview["keys"][number] }) {
  const { is_changed: isChanged, calls, refused_calls: refused, last_used_at: usedAt } = of;
  if (!isChanged) return "stays as it is";
  if (calls !== null && calls > 0)
    return (
      <>
        {refused !== null && refused > 0 && <b className="text-danger">{formatCount(refused)} refused of </b>}
        {countNouns(calls, "call")}
      </>
    );
  return usedAt === null ? (
    "never used"
  ) : (
    <>
      last used <RelativeTime at={usedAt} />
    </>
  );
}
