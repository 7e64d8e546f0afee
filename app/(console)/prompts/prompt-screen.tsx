"use client";

import { BookText } from "lucide-react";
import { promptPageReads } from "@/components/prompts/prompt-reads";
import { useRun } from "@/components/prompts/use-run";
import { useRead } from "@/components/queries/reads/use-read";
import { ObjectState } from "@/components/queries/states/object-state";
import { StaleNotice } from "@/components/queries/states/stale-notice";
import { PageCrumb } from "@/components/shell/top-bar/page-crumb";
import { LinkButton } from "@/components/ui/links/link-button";
import { TabLinks } from "@/components/ui/links/tab-links";
import { Page } from "@/components/ui/page";
import { PageHead } from "@/components/ui/page-head";
import { EmptyState } from "@/components/ui/states/empty-state";
import { PageHeadSkeleton, TableSkeleton } from "@/components/ui/states/skeleton";
import { paths } from "@/lib/console/paths";
import type { Prompt } from "@/lib/contract/operations/playground/prompts";
import { CasesForm } from "./cases/cases-form";
import { PromptActions } from "./prompt-actions";
import { RunsTab } from "./runs-tab";
import { VersionsTab } from "./versions-tab";

type PromptScreenProps = {
  projectId: string;
  promptId: string;
  tab: "prompt" | "cases" | "runs";
  /** The run from the address; null if it names none. */
  runId: string | null;
  canWrite: boolean;
  /** True if the person may send prompts to models. */
  canRun: boolean;
};

/** A prompt with its versions, cases and runs. */
export function PromptScreen(props: PromptScreenProps) {
  const { projectId, promptId, tab, canWrite } = props;
  const found = useRead(...promptPageReads(projectId, promptId).prompt);
  // Kept here and not in the tab, so that a run continues while another tab is open.
  const running = useRun({ projectId, promptId });
  return (
    <ObjectState
      read={found}
      object={found.data}
      to="show the prompt"
      skeleton={
        <Page>
          <PageHeadSkeleton />
          <TableSkeleton rows={6} columns={3} />
        </Page>
      }
      unknown={
        <Page>
          <EmptyState
            level={1}
            icon={BookText}
            title="There is no such prompt in this project"
            action={<LinkButton href={paths.prompts(projectId)}>View all prompts</LinkButton>}
          >
            It was deleted, is private, or belongs to another project.
          </EmptyState>
        </Page>
      }
    >
      {(prompt) => (
        <Page>
          <PageCrumb label={prompt.name} />
          <PageHead
            title={prompt.name}
            sentence={writeSubtitle(prompt)}
            action={<PromptActions prompt={prompt} canWrite={canWrite} />}
          />
          <StaleNotice read={found} />
          <TabLinks
            label="Parts of the prompt"
            current={tab}
            tabs={[
              { id: "prompt", label: "Versions", href: paths.prompt(projectId, promptId) },
              {
                id: "cases",
                label: `Cases · ${prompt.cases.length}`,
                href: paths.prompt(projectId, promptId, { tab: "cases" }),
              },
              { id: "runs", label: "Runs", href: paths.prompt(projectId, promptId, { tab: "runs" }) },
            ]}
          />
          {tab === "prompt" && <VersionsTab prompt={prompt} />}
          {tab === "cases" && <CasesForm prompt={prompt} canWrite={canWrite} />}
          {tab === "runs" && <RunsTab {...props} prompt={prompt} running={running} />}
        </Page>
      )}
    </ObjectState>
  );
}

function writeSubtitle({ is_shared, is_own, owner, latest_version }: Prompt): string {
  const versions = latest_version === 1 ? "One version" : `${latest_version} versions`;
  if (!is_shared) return `${versions}. Only you can read it.`;
  return `${versions}. Shared with the project by ${is_own ? "you" : owner.name}.`;
}
