import { Trash2 } from "lucide-react";
import { deleteAdminKey } from "@/components/keys/key-form-actions";
import { ConfirmedAction } from "@/components/queries/actions/confirmed-action";
import { IconButton } from "@/components/ui/icon-button";
import { RelativeTime } from "@/components/ui/time/relative-time";
import type { AdminApiKey } from "@/lib/contract/operations/keys/admin-api-keys";

type DeleteAdminKeyProps = {
  target: AdminApiKey;
  /** True if this session uses the key. */
  isOwn: boolean;
};

export function DeleteAdminKey({ target, isOwn }: DeleteAdminKeyProps) {
  const { id, name, version, last_used_at: usedAt } = target;
  return (
    <ConfirmedAction
      renderButton={(ask) => (
        <IconButton size="small" label={`Revoke admin key “${name}”`} icon={<Trash2 />} onClick={ask} />
      )}
      title={`Revoke the admin key “${name}”?`}
      confirmLabel="Revoke admin key"
      action={deleteAdminKey}
      input={{ keyId: id, version }}
      refetch={["listAdminApiKeys"]}
      done={() => `Admin key “${name}” revoked`}
    >
      Requests with it are refused immediately, and sessions opened with it end
      {isOwn && ", yours too"}.{" "}
      {usedAt === null ? (
        "It has never been used."
      ) : (
        <>
          It was last used <RelativeTime at={usedAt} />.
        </>
      )}{" "}
      This can’t be undone.
    </ConfirmedAction>
  );
}
