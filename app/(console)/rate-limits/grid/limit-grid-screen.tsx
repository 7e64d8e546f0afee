"use client";

import { Boxes } from "lucide-react";
import { useMemo } from "react";
import { ReadState } from "@/components/queries/states/read-state";
import { StaleNotice } from "@/components/queries/states/stale-notice";
import { LinkButton } from "@/components/ui/links/link-button";
import { Page, PageHead } from "@/components/ui/page";
import { EmptyState } from "@/components/ui/states/empty-state";
import { TableSkeleton } from "@/components/ui/states/skeleton";
import { paths } from "@/lib/console/paths";
import { LazyTypedForm } from "../lazy-typed-form";
import { GridSkeleton } from "./grid-skeleton";
import type { DraftOwner } from "./kept-draft";
import { LimitGrid } from "./limit-grid";
import { useLimitPairs } from "./use-limit-pairs";

type LimitGridScreenProps = {
  /** Null for every project. */
  project: { id: string; name: string } | null;
  owner: DraftOwner;
  baseUrl: string;
  /** The projects whose limits the person may change; null for all of them. */
  writable: readonly string[] | null;
  /** Whether the person may read what every project follows. */
  readsDefaults: boolean;
};

/** The rate limits of a project, or of every one, as a grid. */
export function LimitGridScreen(props: LimitGridScreenProps) {
  const { project, owner, baseUrl, writable, readsDefaults } = props;
  const mayWrite = useMemo(() => {
    const ids = writable && new Set(writable);
    return (projectId: string) => ids?.has(projectId) ?? true;
  }, [writable]);
  const { first, rows, plans, retry } = useLimitPairs(project?.id, mayWrite, {
    isShown: project === null && readsDefaults,
    isLocked: writable !== null,
  });
  if (project && !rows && first.error?.problem.code === "unsupported") {
    return (
      <Page>
        <LazyTypedForm baseUrl={baseUrl} projectId={project.id} />
      </Page>
    );
  }
  if (!rows && first.isPending) return <GridSkeleton />;
  if (!rows || rows.pairs.length === 0) {
    return (
      <Page>
        <PageHead title="Rate limits" sentence="What each model lets through, project by project." />
        <ReadState
          read={{ ...first, data: rows?.pairs }}
          to="list the rate limits"
          skeleton={<TableSkeleton />}
          empty={<NoModel />}
        >
          {() => null}
        </ReadState>
      </Page>
    );
  }
  return (
    <>
      <StaleNotice read={first} />
      <LimitGrid
        project={project}
        owner={owner}
        pairs={rows.pairs}
        isWhole={rows.isWhole}
        problem={rows.problem}
        retry={retry}
        plans={plans}
        editsPlans={writable === null}
      />
    </>
  );
}

function NoModel() {
  return (
    <EmptyState
      icon={Boxes}
      title="No models yet"
      action={
        <LinkButton variant="primary" href={paths.models()}>
          Go to models
        </LinkButton>
      }
    >
      Each model brings its own defaults; here they are set for any project.
    </EmptyState>
  );
}
