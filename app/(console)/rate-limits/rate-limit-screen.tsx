"use client";

import { Gauge } from "lucide-react";
import { SandboxBadge } from "@/components/models/sandbox-badge";
import { HistoryLink } from "@/components/object-page/history-link";
import { ObjectState } from "@/components/queries/states/object-state";
import { StaleNotice } from "@/components/queries/states/stale-notice";
import { PageCrumb } from "@/components/shell/top-bar/page-crumb";
import { Badge } from "@/components/ui/badge";
import { Page } from "@/components/ui/page";
import { PageHead } from "@/components/ui/page-head";
import { UnknownObject } from "@/components/ui/states/unknown-object";
import { ProjectName } from "@/components/ui/text/project-name";
import { paths } from "@/lib/console/paths";
import type { LimitRow } from "./limit-row";
import { RateLimitForm } from "./rate-limit-form";
import { RateLimitSkeleton } from "./rate-limit-skeleton";
import { TypedRateLimitScreen } from "./typed-rate-limit-screen";
import { useLimitRow } from "./use-limit-rows";

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
