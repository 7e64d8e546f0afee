"use client";

import { useState } from "react";
import { loadOnClient } from "@/components/ui/dialog/load-on-client";
import { useReopen } from "@/components/ui/drafts/draft-scope";
import type { ProjectApiKey } from "@/lib/contract/operations/keys/project-api-keys";

const RenameKey = loadOnClient(() => import("./rename-key").then((file) => file.RenameKey));

/** Returns the name of a key's rename form. */
const formatFormName = (keyId: string) => `rename-${keyId}`;

/** Tracks which keys were renamed on this page, and which one is being renamed. */
export function useRenames(keys: readonly ProjectApiKey[], { canWrite }: { canWrite: boolean }) {
  const [begun, setBegun] = useState<readonly string[]>([]);
  const [openId, setOpenId] = useState<string | null>(null);
  function begin(keyId: string) {
    setBegun((ids) => (ids.includes(keyId) ? ids : [...ids, keyId]));
    setOpenId(keyId);
  }
  useReopen(
    keys.map(({ id }) => formatFormName(id)),
    (name) => canWrite && begin(name.slice(formatFormName("").length)),
  );
  return {
    begin: ({ id }: ProjectApiKey) => begin(id),
    keys: keys.filter(({ id }) => begun.includes(id)),
    openId,
    close: () => setOpenId(null),
  };
}

type RenamedKeysProps = { projectId: string } & Pick<
  ReturnType<typeof useRenames>,
  "keys" | "openId" | "close"
>;

/** The rename dialogs. Closed ones stay mounted for the undo. */
export function RenamedKeys({ projectId, keys, openId, close }: RenamedKeysProps) {
  return keys.map((key) => (
    <RenameKey
      key={key.id}
      projectId={projectId}
      target={key}
      formName={formatFormName(key.id)}
      isOpen={key.id === openId}
      close={close}
    />
  ));
}
