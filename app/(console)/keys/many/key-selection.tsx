"use client";

import { useState } from "react";
import { Button } from "@/components/ui/button";
import { loadOnClient } from "@/components/ui/dialog/load-on-client";
import { SelectionBar } from "@/components/ui/table/selection-bar";
import type { KeyAction } from "@/lib/contract/operations/keys/key-changes";
import type { ProjectApiKey } from "@/lib/contract/operations/keys/project-api-keys";

const ChangeKeysDialog = loadOnClient(() =>
  import("./change-keys-dialog").then((file) => file.ChangeKeysDialog),
);

const labels = { set_scope: "Limit", expire: "Let expire", revoke: "Delete" } as const;

type KeySelectionProps = { projectId: string; keys: readonly ProjectApiKey[]; clear: () => void };

/** What can be done to the selected keys. */
export function KeySelection({ projectId, keys, clear }: KeySelectionProps) {
  const [asks, setAsks] = useState<KeyAction["type"] | null>(null);
  const close = () => setAsks(null);
  return (
    <>
      <SelectionBar count={keys.length} noun="key" clear={clear}>
        {(Object.keys(labels) as KeyAction["type"][]).map((type) => (
          <Button key={type} onClick={() => setAsks(type)}>
            {labels[type]}
          </Button>
        ))}
      </SelectionBar>
      {asks && (
        <ChangeKeysDialog
          {...{ projectId, keys, close }}
          type={asks}
          done={() => {
            close();
            clear();
          }}
        />
      )}
    </>
  );
}
