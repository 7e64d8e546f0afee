import { expect, test } from "bun:test";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { renderToStaticMarkup } from "react-dom/server";
import { limitReads } from "@/components/rate-limits/limit-usage";
import { buildReadKey, type ReadId, type ReadParameters } from "@/lib/console/reads/reads";
import { builtInRateLimits } from "@/lib/contract/calls/rate-limit-table";
import type { RateLimit } from "@/lib/contract/operations/models/rate-limits";
import { useLimitRow } from "./rate-limit-screen";

const PROJECT = "proj_1";
const buildLimit = (model: string): RateLimit => ({
  object: "project.rate_limit",
  id: `rl_${model}`,
  model,
  ...builtInRateLimits,
});

/** What a rate limit's screen shows of the one that its address names, once these reads are answered. */
function show(id: string, hasMore: boolean, single: RateLimit | null): string {
  const client = new QueryClient();
  const answer = (data: unknown, read: ReadId, parameters: ReadParameters) =>
    client.setQueryData(buildReadKey(read, parameters), { ok: true, data, requestId: null });
  const { limits, models } = limitReads(PROJECT);
  answer({ data: [buildLimit("first")], has_more: hasMore }, ...limits);
  answer({ data: [], has_more: hasMore }, ...models);
  if (single) answer(single, "retrieveRateLimit", { project_id: PROJECT, rate_limit_id: id });
  function Shown() {
    const { rows, row } = useLimitRow(PROJECT, id);
    return row?.limit.model ?? (rows.data === undefined ? "Loading" : "There is no such rate limit");
  }
  return renderToStaticMarkup(
    <QueryClientProvider client={client}>
      <Shown />
    </QueryClientProvider>,
  );
}

test("a rate limit beyond the first rows of a long list exists, and is read by itself", () => {
  expect(show("rl_last", true, null)).toBe("Loading");
  expect(show("rl_last", true, buildLimit("last"))).toBe("last");
  expect(show("rl_first", true, null)).toBe("first");
  expect(show("rl_last", false, null)).toBe("There is no such rate limit");
});
