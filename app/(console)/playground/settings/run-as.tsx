"use client";

import { useId } from "react";
import { useRead } from "@/app/queries/use-read";
import type { RunAs, Workbench } from "../panes/pane";
import type { WorkbenchStore } from "../panes/workbench-store";
import type { PlaygroundRights } from "../playground-rights";

type RunAsChoiceProps = {
  workbench: Workbench;
  store: WorkbenchStore;
  projectId: string;
  rights: Pick<PlaygroundRights, "runsAsKeys" | "previewsAsRoles">;
};

/** Selects the identity for calls: the signed-in user, a key of the project, or a role. Roles can only be previewed. */
export function RunAsChoice({ workbench, store, projectId, rights }: RunAsChoiceProps) {
  const { runsAsKeys: mayUseKeys, previewsAsRoles: mayUseRoles } = rights;
  const id = useId();
  const keys = useRead("listProjectApiKeys", { project_id: projectId, limit: "100" }, { enabled: mayUseKeys })
    .data?.data;
  const ofOrganization = useRead("listRoles", { limit: "100" }, { enabled: mayUseRoles }).data?.data;
  const ofProject = useRead(
    "listProjectRoles",
    { project_id: projectId, limit: "100" },
    { enabled: mayUseRoles },
  ).data?.data;
  const roles = [...(ofOrganization ?? []), ...(ofProject ?? [])];
  const { runAs } = workbench;
  const known = [...(keys ?? []), ...roles];
  if (!mayUseKeys && !mayUseRoles) return null;
  const choose = (chosen: string) => {
    const name = known.find((one) => one.id === chosen)?.name ?? chosen;
    const next: RunAs | undefined = chosen === "" ? undefined : { id: chosen, name };
    store.change((before) => ({ ...before, runAs: next }));
  };
  return (
    <div className="grid gap-1.5">
      <label htmlFor={id} className="text-sm font-medium">
        Run as
      </label>
      <select
        id={id}
        value={runAs?.id ?? ""}
        onChange={(event) => choose(event.target.value)}
        aria-describedby={runAs ? `${id}-help` : undefined}
        className="field h-8 w-full min-w-0 text-sm pointer-coarse:h-11"
      >
        <option value="">Me</option>
        {runAs && !known.some((one) => one.id === runAs.id) && <option value={runAs.id}>{runAs.name}</option>}
        {keys && keys.length > 0 && (
          <optgroup label="Keys of this project">
            {keys.map((key) => (
              <option key={key.id} value={key.id}>
                {key.name}
              </option>
            ))}
          </optgroup>
        )}
        {roles.length > 0 && (
          <optgroup label="Roles: dry run only">
            {roles.map((role) => (
              <option key={role.id} value={role.id}>
                {role.name}
              </option>
            ))}
          </optgroup>
        )}
      </select>
      {runAs && (
        <p id={`${id}-help`} className="text-sm text-muted">
          {isRole(runAs)
            ? "Shows what this role would get. Nothing is sent as a role."
            : "By this key’s models, endpoints, limits and project. The receipt and the audit log name you."}
        </p>
      )}
    </div>
  );
}

/** A role can only be previewed. */
export function isRole(runAs: RunAs | undefined): boolean {
  return runAs?.id.startsWith("role_") ?? false;
}
