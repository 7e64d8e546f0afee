"use client";

import { Ellipsis } from "lucide-react";
import { useState } from "react";
import { useHolds } from "@/components/shell/held-permissions";
import { loadOnClient } from "@/components/ui/dialog/load-on-client";
import { useReopen } from "@/components/ui/drafts/draft-scope";
import { Menu } from "@/components/ui/menu/menu";
import { paths } from "@/lib/console/paths";
import type { ProjectApiKey } from "@/lib/contract/operations/keys/project-api-keys";

const KeyDetails = loadOnClient(() => import("./key-details").then((file) => file.KeyDetails));
const KeyScopeDialog = loadOnClient(() => import("./key-scope-dialog").then((file) => file.KeyScopeDialog));
const RotateKeyDialog = loadOnClient(() =>
  import("./rotate-key-dialog").then((file) => file.RotateKeyDialog),
);

type KeyMenuProps = {
  projectId: string;
  target: ProjectApiKey;
  baseUrl: string;
  seesCalls: boolean;
  canWrite: boolean;
};

/** A key's actions other than renaming and deleting. */
export function KeyMenu({ projectId, target, baseUrl, seesCalls, canWrite }: KeyMenuProps) {
  const [shown, setShown] = useState<"details" | "scope" | "rotation" | null>(null);
  const seesHistory = useHolds("api.audit_logs.read");
  const scope = `scope-${target.id}`;
  const rotation = `rotate-${target.id}`;
  useReopen([scope, rotation], (name) => {
    if (canWrite) setShown(name === scope ? "scope" : "rotation");
  });
  const close = () => setShown(null);
  const entries = [
    { id: "details", label: "Details and usage", onSelect: () => setShown("details") },
    ...(canWrite
      ? [
          { id: "scope", label: "Limit to models and endpoints", onSelect: () => setShown("scope") },
          { id: "rotation", label: "Rotate", onSelect: () => setShown("rotation") },
        ]
      : []),
    ...(seesHistory
      ? [
          {
            id: "history",
            label: "History",
            href: paths.auditLogs({ resource_ids: target.id, project_ids: projectId }),
          },
        ]
      : []),
  ];
  return (
    <>
      <Menu
        label={`More for key “${target.name}”`}
        align="end"
        trigger={<Ellipsis aria-hidden className="size-4" />}
        triggerClassName="inline-grid size-6 shrink-0 place-items-center rounded-md text-muted hover:bg-default hover:text-foreground pointer-coarse:size-11"
        sections={[{ entries }]}
      />
      {shown === "details" && <KeyDetails {...{ projectId, target, seesCalls, close }} />}
      {shown === "scope" && <KeyScopeDialog {...{ projectId, target, close }} formName={scope} />}
      {shown === "rotation" && (
        <RotateKeyDialog {...{ projectId, target, baseUrl, close }} formName={rotation} />
      )}
    </>
  );
}
