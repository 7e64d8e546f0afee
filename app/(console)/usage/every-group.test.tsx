import { expect, test } from "bun:test";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { renderToStaticMarkup } from "react-dom/server";
import { buildReadKey, WHOLE } from "@/lib/console/reads/reads";
import type { UsageSum, UsageSummary } from "@/lib/contract/operations/usage/usage-summary";
import { EveryGroup } from "./every-group";

const sum = (name: string, amount: string) =>
  ({ id: name, group_id: name, group_name: name, requests: 1, amount, duration_p95_ms: null }) as UsageSum;

test("every group is listed for the period of the summary, the most expensive first", () => {
  const client = new QueryClient();
  // The read has the filters of the summary, as one sum for each group.
  const asked = { model: "echo", bucket_width: "range", end_time: "200", limit: WHOLE };
  const data = [sum("Team 1", "0.10"), sum("Team 2", "0.30")];
  client.setQueryData(buildReadKey("listUsageSums", asked), {
    ok: true,
    data: { object: "list", data, has_more: false },
    requestId: null,
  });
  const shown = renderToStaticMarkup(
    <QueryClientProvider client={client}>
      <EveryGroup
        summary={{ currency: "USD", end_time: 200 } as UsageSummary}
        grouping="project_id"
        read="listUsageSums"
        parameters={{ model: "echo", bucket_width: "1h", order_by: "amount", series: "amount" }}
        noun="projects"
        hasAudio={false}
        rowHref={() => undefined}
      />
    </QueryClientProvider>,
  );
  expect(shown).toContain("Search projects");
  expect(shown.indexOf("Team 2")).toBeGreaterThan(0);
  expect(shown.indexOf("Team 1")).toBeGreaterThan(shown.indexOf("Team 2"));
});
