"use client";

import { type ReactNode, useId, useMemo, useState } from "react";
import { findFirstCallable } from "@/components/models/list-models";
import { OpenInPlayground } from "@/components/playground/conversations/open-in-playground";
import { createWorkbenchFromCall } from "@/components/playground/panes/create-workbench-from-call";
import { listVariables, renderPromptText } from "@/components/playground/variables/prompt-text";
import { promptPageReads } from "@/components/prompts/prompt-reads";
import { useRead } from "@/components/queries/reads/use-read";
import { wholeList } from "@/components/queries/reads/whole-list";
import { ReadState } from "@/components/queries/states/read-state";
import { TableSkeleton } from "@/components/ui/states/skeleton";
import { CopyButton } from "@/components/ui/text/copy-button";
import { DiffText } from "@/components/ui/text/diff-text";
import { RelativeTime } from "@/components/ui/time/shown-time";
import type { Prompt, PromptVersion } from "@/lib/contract/operations/playground/prompts";

/** The versions of a prompt: the text of one, and its differences from another. */
export function VersionsTab({ prompt }: { prompt: Prompt }) {
  const versions = useRead(...promptPageReads(prompt.project_id, prompt.id).versions);
  return (
    <ReadState read={versions} to="list the versions" skeleton={<TableSkeleton rows={4} columns={2} />}>
      {({ data, has_more: hasMore }) => (
        <div className="grid gap-3">
          {hasMore && (
            <p className="text-sm text-muted">
              These are the newest {data.length} versions, as many as fit on this page. The API lists the
              others.
            </p>
          )}
          <Versions prompt={prompt} versions={data} />
        </div>
      )}
    </ReadState>
  );
}

function Versions({ prompt, versions }: { prompt: Prompt; versions: readonly PromptVersion[] }) {
  const [chosen, setChosen] = useState<number | null>(null);
  const [against, setAgainst] = useState<number | null>(null);
  const shown = versions.find(({ number }) => number === chosen) ?? versions[0];
  if (!shown) return null;
  const other = versions.find(({ number }) => number === against && number !== shown.number);
  const variables = listVariables(shown.content);
  const text = renderPromptText(shown.content);
  return (
    <div className="grid gap-5">
      <div className="flex flex-wrap items-end gap-3">
        <Choice label="Version" value={String(shown.number)} change={(value) => setChosen(Number(value))}>
          {versions.map(({ number }) => (
            <option key={number} value={number}>
              Version {number}
              {number === prompt.latest_version && " (newest)"}
            </option>
          ))}
        </Choice>
        <Choice
          label="Compare with"
          value={other ? String(other.number) : ""}
          change={(value) => setAgainst(value === "" ? null : Number(value))}
        >
          <option value="">Nothing</option>
          {versions
            .filter(({ number }) => number !== shown.number)
            .map(({ number }) => (
              <option key={number} value={number}>
                Version {number}
              </option>
            ))}
        </Choice>
        <OpenVersion prompt={prompt} version={shown} />
      </div>
      <p className="text-sm text-muted">
        Saved by {shown.author.name} <RelativeTime at={shown.created_at} />.{" "}
        {variables.length === 0
          ? "It has no variables: write {{name}} in its text for what each case fills in."
          : `Variables: ${variables.join(", ")}.`}
      </p>
      <section
        aria-label={
          other
            ? `Differences from version ${other.number} to ${shown.number}`
            : `Text of version ${shown.number}`
        }
        className="relative rounded-md border bg-surface px-4 py-3 pr-12"
      >
        <span className="absolute top-2 right-2">
          <CopyButton text={text} what={`text of version ${shown.number}`} />
        </span>
        {other ? (
          <DiffText before={renderPromptText(other.content)} after={text} />
        ) : (
          <p className="leading-6 wrap-anywhere whitespace-pre-wrap">{text}</p>
        )}
      </section>
    </div>
  );
}

type ChoiceProps = {
  label: string;
  value: string;
  change: (value: string) => void;
  children: ReactNode;
};

function Choice({ label, value, change, children }: ChoiceProps) {
  const id = useId();
  return (
    <div className="grid gap-1.5">
      <label htmlFor={id} className="text-sm font-medium">
        {label}
      </label>
      <select
        id={id}
        value={value}
        onChange={(event) => change(event.target.value)}
        className="field h-9 w-44 pointer-coarse:h-11"
      >
        {children}
      </select>
    </div>
  );
}

/** Opens a version in the playground, where it can be tried, edited and saved as a new version. */
function OpenVersion({ prompt, version }: { prompt: Prompt; version: PromptVersion }) {
  const models = useRead(...wholeList("listOrganizationModels"));
  const model = models.data ? (findFirstCallable(models.data.data)?.id ?? "") : "";
  const { endpoint, body } = version.content;
  const workbench = useMemo(() => {
    const opened = createWorkbenchFromCall(JSON.stringify({ model, ...body }), endpoint);
    // With the first case filled in, the call can be sent as it is.
    const variables = prompt.cases[0]?.variables;
    return opened && { ...opened, promptId: prompt.id, ...(variables && { variables }) };
  }, [model, body, endpoint, prompt.id, prompt.cases]);
  return (
    <OpenInPlayground
      workbench={workbench}
      title={prompt.name}
      projectId={prompt.project_id}
      label="Open in playground"
    />
  );
}
