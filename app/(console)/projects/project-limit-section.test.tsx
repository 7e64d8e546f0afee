import { expect, mock, test } from "bun:test";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { AppRouterContext } from "next/dist/shared/lib/app-router-context.shared-runtime";
import { renderToStaticMarkup } from "react-dom/server";
import { limitReads } from "@/components/rate-limits/limit-reads";
import { computePeriodStarts } from "@/components/usage/compute-period-starts";
import { buildReadKey } from "@/lib/console/reads/reads";
import { builtInRateLimits } from "@/lib/contract/calls/rate-limit-table";
import type { Project } from "@/lib/contract/operations/projects/projects";
import type { ProjectPartProps } from "./project-part-props";

// The switch of the project, a server action, imports it.
mock.module("server-only", () => ({}));
const { ProjectLimitSection } = await import("./project-limit-section");

const project = { id: "proj_1", name: "Search", status: "archived" } as Project;
const props: ProjectPartProps = {
  project,
  may: () => true,
  held: { permissions: [], project_permissions: [] },
  ownId: null,
  since: computePeriodStarts(0),
  baseUrl: "",
  currency: "USD",
};
const limit = { object: "project.rate_limit", id: "rl_a", model: "a", ...builtInRateLimits };

function show(hasMore: boolean): string {
  const client = new QueryClient();
  const { limits, models } = limitReads(project.id);
  const answer = (rows: readonly unknown[]) => ({ ok: true, data: { data: rows, has_more: hasMore } });
  client.setQueryData(buildReadKey(...limits), answer([limit]));
  client.setQueryData(buildReadKey(...models), answer([]));
  return renderToStaticMarkup(
    <AppRouterContext value={{ push() {} } as never}>
      <QueryClientProvider client={client}>
        <ProjectLimitSection {...props} />
      </QueryClientProvider>
    </AppRouterContext>,
  );
}

test("a project's rate limits that go on beyond the rows shown say so", () => {
  expect(show(true)).toContain("Only the first 1 are listed");
  expect(show(false)).not.toContain("Only the first");
});
