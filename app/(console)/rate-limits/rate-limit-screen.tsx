"use client";

import { Gauge } from "lucide-react";
import { SandboxBadge } from "@/components/models/sandbox-badge";
import { HistoryLink } from "@/components/object-page/history-link";
import { useRead } from "@/components/queries/reads/use-read";
import { ObjectState } from "@/components/queries/states/object-state";
import { StaleNotice } from "@/components/queries/states/stale-notice";
import { limitReads } from "@/components/rate-limits/limit-usage";
import { PageCrumb } from "@/components/shell/top-bar/page-crumb";
import { Page, PageHead } from "@/components/ui/page";
import { UnknownObject } from "@/components/ui/states/unknown-object";
import { Badge } from "@/components/ui/status";
import { ProjectName } from "@/components/ui/text/project-name";
import { paths } from "@/lib/console/paths";
import type { LimitRow } from "./limit-row";
import { findRow, joinModels } from "./limit-row";
import { RateLimitForm } from "./rate-limit-form";
import { RateLimitSkeleton } from "./rate-limit-skeleton";
import { TypedRateLimitScreen } from "./typed-rate-limit-screen";

type RateLimitScreenProps = {
  project: { id: string; name: string };
  rateLimitId: string;
  baseUrl: string;
  canWrite: boolean;
};

/** A model's limits in a project. */
export function RateLimitScreen({ project, rateLimitId, baseUrl, canWrite }: RateLimitScreenProps) {
  const { rows, row: shown } = useLimitRow(project.id, rateLimitId);

  if (!rows.data && rows.error?.problem.code === "unsupported") {
    return <TypedRateLimitScreen baseUrl={baseUrl} projectId={project.id} rateLimitId={rateLimitId} />;
  }
  return (
    <ObjectState
      read={rows}
      object={shown}
      to="show the rate limit"
      skeleton={<RateLimitSkeleton />}
      unknown={
        <UnknownObject noun="rate limit" id={rateLimitId} icon={Gauge} list={paths.rateLimits(project.id)} />
      }
    >
      {(row) => (
        <Page>
          <PageCrumb label={row.limit.model} />
          <RateLimitHead row={row} project={project} />
          <StaleNotice read={rows} />
          <RateLimitForm projectId={project.id} row={row} baseUrl={baseUrl} canWrite={canWrite} />
        </Page>
      )}
    </ObjectState>
  );
}

function RateLimitHead({ row, project }: { row: LimitRow; project: { id: string; name: string } }) {
  const { limit, family, sandbox } = row;
  return (
    <PageHead
      title={<span className="break-all">{limit.model}</span>}
      beside={
        <>
          {family && <Badge>{family}</Badge>}
          {sandbox && <SandboxBadge />}
        </>
      }
      sentence={
        <>
          Rate limits in project <ProjectName project={project} />. A change takes effect with the next call.
        </>
      }
      action={<HistoryLink id={limit.id} projectId={project.id} />}
    />
  );
}

/** Reads a project's rate limits with the properties of their models. The read's data are the rows. */
function useLimitRows(projectId: string) {
  const reads = limitReads(projectId);
  const limits = useRead(...reads.limits);
  const models = useRead(...reads.models);
  // Wait for the models: without their families, the rows would first be shown wrongly.
  const data = limits.data && !models.isPending ? joinModels(limits.data.data, models.data?.data) : undefined;
  return { rows: { ...limits, data }, hasMore: limits.data?.has_more ?? false };
}

/**
 * Reads one rate limit of a project, by its id or its model's. One beyond the first rows of a long list is read by
 * itself. `rows` is the read that has it.
 */
export function useLimitRow(projectId: string, rateLimitId: string) {
  const { rows, hasMore } = useLimitRows(projectId);
  const models = useRead(...limitReads(projectId).models).data?.data;
  const listed = rows.data && findRow(rows.data, rateLimitId);
  const isBeyond = hasMore && rows.data !== undefined && listed === undefined;
  const parameters = { project_id: projectId, rate_limit_id: rateLimitId };
  const single = useRead("retrieveRateLimit", parameters, { enabled: isBeyond });
  if (!isBeyond) return { rows, row: listed };
  const data = single.data && joinModels([single.data], models);
  return { rows: { ...single, data }, row: data?.[0] };
}
