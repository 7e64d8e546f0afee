"use client";

import { KeyRound } from "lucide-react";
import dynamic from "next/dynamic";
import { useState } from "react";
import { ProblemState } from "@/app/queries/problem-state";
import { StaleNotice } from "@/app/queries/stale-notice";
import { useRead } from "@/app/queries/use-read";
import { useReopen } from "@/components/form/draft-scope";
import { EmptyState } from "@/components/ui/empty-state";
import { PageHead } from "@/components/ui/page-head";
import { CreateButton } from "../create-button";
import { KeyList } from "./key-list";
import { KeyListSkeleton } from "./key-list-skeleton";
import { keyReads } from "./reads-of-keys";

// Without `ssr: false` the screen would give way to its skeleton while the dialog is loaded.
const CreateKeyDialog = dynamic(() => import("./create-key-dialog").then((file) => file.CreateKeyDialog), {
  ssr: false,
});

type KeyScreenProps = { project: { id: string; name: string }; baseUrl: string; canWrite: boolean };

/** The keys of one project. The dialog stands above the list, which changes while a new key is shown. */
export function KeyScreen({ project, baseUrl, canWrite }: KeyScreenProps) {
  const [[read, parameters]] = keyReads(project.id);
  const keys = useRead(read, parameters);
  const [isCreating, setIsCreating] = useState(false);
  useReopen("new-key", () => setIsCreating(canWrite));
  const isEmpty = keys.data?.data.length === 0;
  const createButton = canWrite && <CreateButton noun="key" onClick={() => setIsCreating(true)} />;
  return (
    <>
      <PageHead
        title="Keys"
        sentence={
          <>
            With a key of project <strong className="font-medium text-foreground">{project.name}</strong> a
            program calls models, under the project’s limits.
          </>
        }
        action={!isEmpty && createButton}
      />
      <StaleNotice read={keys} />
      {isEmpty ? (
        <EmptyState
          icon={KeyRound}
          title="No key yet"
          action={createButton}
          example="For example “production” or “nightly reports”: one for each program, so that one can be deleted alone."
        >
          A program sends its key with every call. The call then counts for this project.
        </EmptyState>
      ) : keys.data ? (
        <KeyList
          keys={keys.data.data}
          hasMore={keys.data.has_more}
          projectId={project.id}
          canWrite={canWrite}
        />
      ) : keys.error ? (
        <ProblemState problem={keys.error.problem} to="list the keys" retry={() => void keys.refetch()} />
      ) : (
        <KeyListSkeleton />
      )}
      {isCreating && (
        <CreateKeyDialog projectId={project.id} baseUrl={baseUrl} close={() => setIsCreating(false)} />
      )}
    </>
  );
}
