"use client";

import { Archive } from "lucide-react";
import { useRouter } from "next/navigation";
import { ConfirmedAction } from "@/components/queries/actions/confirmed-action";
import { Button } from "@/components/ui/button";
import { formatCount } from "@/components/ui/values/group-digits";
import type { ReadReply } from "@/lib/console/reads/reads";
import type { Project } from "@/lib/contract/operations/projects/projects";
import { archiveProject } from "./actions";
import { countCalls } from "./project-reads";

type ArchiveProjectProps = {
  project: Project;
  /** Undefined if it isn't loaded or the person can't see it. */
  day: ReadReply<"retrieveRequestHistogram"> | undefined;
  keys: ReadReply<"listProjectApiKeys"> | undefined;
  members: ReadReply<"listProjectUsers"> | undefined;
};

/** Archives a project permanently, after a confirmation that says what will stop working. */
export function ArchiveProject({ project, day, keys, members }: ArchiveProjectProps) {
  const router = useRouter();
  const { id, name, version } = project;
  const stops = [
    keys && keys.data.length > 0 && countListed(keys, "key is revoked", "keys are revoked"),
    members &&
      members.data.length > 0 &&
      countListed(
        members,
        "member can no longer send prompts with it",
        "members can no longer send prompts with it",
      ),
    day?.is_counted && describeCalls(countCalls(day.totals).all),
  ].filter((line) => typeof line === "string");
  return (
    <ConfirmedAction
      renderButton={(ask) => (
        <Button onClick={ask}>
          <Archive aria-hidden />
          Archive project
        </Button>
      )}
      title={`Archive the project “${name}”?`}
      confirmLabel="Archive project"
      typeToConfirm={name}
      action={archiveProject}
      input={{ projectId: id, version }}
      refetch={["retrieveProject", "listProjects", "listProjectSummaries"]}
      done={() => `Project “${name}” archived`}
      onDone={() => router.refresh()}
    >
      <p>Calls to it are refused at once. Archiving can’t be undone.</p>
      {stops.length > 0 && (
        <ul aria-label="What stops" className="mt-2 grid list-disc gap-1 pl-5">
          {stops.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      )}
      <p className="mt-2">Past usage stays in the ledger and in the request log.</p>
    </ConfirmedAction>
  );
}

function countListed(
  list: { data: readonly unknown[]; has_more: boolean },
  one: string,
  many: string,
): string {
  const count = formatCount(list.data.length);
  return `${count}${list.has_more ? "+" : ""} ${list.data.length === 1 && !list.has_more ? one : many}`;
}

function describeCalls(calls: number): string {
  if (calls === 0) return "No call was made in the last 24 hours";
  return `${formatCount(calls)} ${calls === 1 ? "call was" : "calls were"} made in the last 24 hours; calls like them will be refused`;
}
