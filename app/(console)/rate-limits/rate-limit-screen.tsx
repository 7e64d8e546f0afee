"use client";

import { Gauge } from "lucide-react";
import { ProblemState } from "@/app/queries/problem-state";
import { StaleNotice } from "@/app/queries/stale-notice";
import { PageCrumb } from "@/components/shell/page-crumb";
import { Badge } from "@/components/ui/badge";
import { EmptyState } from "@/components/ui/empty-state";
import { LinkButton } from "@/components/ui/link-button";
import { Page } from "@/components/ui/page";
import { PageHead } from "@/components/ui/page-head";
import { paths } from "@/lib/console/paths";
import { findRow, type LimitRow } from "./limit-row";
import { RateLimitForm } from "./rate-limit-form";
import { RateLimitSkeleton } from "./rate-limit-skeleton";
import { TypedRateLimit } from "./typed-rate-limit";
import { useLimitRows } from "./use-limit-rows";

type RateLimitScreenProps = {
  project: { id: string; name: string };
  rateLimitId: string;
  baseUrl: string;
  canWrite: boolean;
};

/** One model's limits in one project. */
export function RateLimitScreen({ project, rateLimitId, baseUrl, canWrite }: RateLimitScreenProps) {
  const { limits, rows } = useLimitRows(project.id);

  if (!rows && limits.error?.problem.code === "unsupported") {
    return <TypedRateLimit baseUrl={baseUrl} projectId={project.id} rateLimitId={rateLimitId} />;
  }
  if (!rows && limits.error) {
    const retry = () => void limits.refetch();
    return (
      <Page>
        <ProblemState problem={limits.error.problem} to="show the rate limit" retry={retry} />
      </Page>
    );
  }
  if (!rows) return <RateLimitSkeleton />;
  const row = findRow(rows, rateLimitId);
  if (!row) return <UnknownRateLimit id={rateLimitId} />;
  return (
    <Page>
      <PageCrumb label={row.limit.model} />
      <RateLimitHead row={row} projectName={project.name} />
      <StaleNotice read={limits} />
      <RateLimitForm projectId={project.id} row={row} baseUrl={baseUrl} canWrite={canWrite} />
    </Page>
  );
}

function RateLimitHead({ row, projectName }: { row: LimitRow; projectName: string }) {
  const { limit, family, sandbox } = row;
  return (
    <PageHead
      title={<span className="break-all">{limit.model}</span>}
      beside={
        <>
          {family && <Badge>{family}</Badge>}
          {sandbox && <Badge>sandbox, no AI</Badge>}
        </>
      }
      sentence={
        <>
          Rate limits in project <strong className="font-medium text-foreground">{projectName}</strong>. A
          change takes effect with the next call.
        </>
      }
    />
  );
}

function UnknownRateLimit({ id }: { id: string }) {
  return (
    <Page>
      <EmptyState
        level={1}
        icon={Gauge}
        title="There is no such rate limit"
        action={
          <LinkButton variant="primary" href={paths.rateLimits()}>
            See all rate limits
          </LinkButton>
        }
      >
        No model of this gateway has the rate limit <code className="font-mono text-sm">{id}</code>. The model
        may have been removed, or the address is not whole.
      </EmptyState>
    </Page>
  );
}
