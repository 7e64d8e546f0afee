import { expect, test } from "bun:test";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { SearchParamsContext } from "next/dist/shared/lib/hooks-client-context.shared-runtime";
import { renderToStaticMarkup } from "react-dom/server";
import { createProblem, ProblemError } from "@/lib/console/gateway/problem";
import { buildPagesKey, buildReadKey } from "@/lib/console/reads/reads";
import { requestParameters } from "./request-filter";
import { RequestChart } from "./request-screen";

const NOW = 1_800_000_000;
const parameters = requestParameters(() => "", NOW);
const failed = new ProblemError(createProblem("failed", "The sum took too long."));

/** The histogram whose last read has failed. */
function show({ data, isListRead }: { data?: object; isListRead: boolean }): string {
  // Rendered as after the failure: a page that is opened would read again.
  const client = new QueryClient({ defaultOptions: { queries: { retryOnMount: false } } });
  const fail = (queryKey: readonly unknown[], last?: object) => {
    const query = client.getQueryCache().build(client, { queryKey });
    if (last) query.setData({ ok: true, data: last });
    query.setState({ status: "error", error: failed });
  };
  fail(buildReadKey("retrieveRequestHistogram", { ...parameters, limit: undefined }), data);
  if (!isListRead) fail(buildPagesKey("listRequests", parameters));
  return renderToStaticMarkup(
    <SearchParamsContext value={new URLSearchParams()}>
      <QueryClientProvider client={client}>
        <RequestChart openedAt={NOW} />
      </QueryClientProvider>
    </SearchParamsContext>,
  );
}

test("a histogram that can't be read says why, unless the list does", () => {
  expect(show({ isListRead: true })).toContain("The sum took too long.");
  expect(show({ isListRead: false })).toBe("");
});

test("bars of an earlier read say that they are old", () => {
  const html = show({ data: { is_counted: false }, isListRead: true });
  expect(html).toContain("Not refreshed");
  expect(html).toContain("too many calls to count");
});
