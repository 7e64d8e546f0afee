import { expect, mock, test } from "bun:test";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { renderToStaticMarkup } from "react-dom/server";
import { wholeList } from "@/components/queries/reads/whole-list";
import { buildReadKey } from "@/lib/console/reads/reads";
import type { AccessRequest } from "@/lib/contract/operations/people/access-requests";
import { waitingRead } from "./waiting-read";

// Server actions, which the card's buttons refer to, import it.
mock.module("server-only", () => ({}));
const { AccessRequestCard } = await import("./access-request-card");
const { WaitingRequests } = await import("./waiting-requests");

const request: AccessRequest = {
  object: "organization.access_request",
  id: "areq_1",
  kind: "model",
  status: "pending",
  project_id: "proj_1",
  project_name: "Search",
  model: "gpt-5",
  limits: null,
  limits_now: null,
  spend_limit: null,
  spend_limit_now: null,
  permission: null,
  role: null,
  reason: null,
  request_id: null,
  created_at: 1_700_000_000,
  requested_by: { id: "user_1", name: "Ben" },
  may_decide: true,
  decided_at: null,
  decided_by: null,
  decline_reason: null,
  ends_at: null,
  ended_at: null,
  left_alone: [],
};

/** The words of a card. */
function read(asked: Partial<AccessRequest>): string {
  const client = new QueryClient();
  const model = {
    id: "gpt-5",
    price: { input_per_1m: "1.25", output_per_1m: "10" },
    unit_price: null,
    rate: "1.2",
    currency: "USD",
  };
  const models = { ok: true, data: { data: [model], has_more: false }, requestId: null };
  client.setQueryData(buildReadKey(...wholeList("listOrganizationModels")), models);
  const page = renderToStaticMarkup(
    <QueryClientProvider client={client}>
      <AccessRequestCard request={{ ...request, ...asked }} />
    </QueryClientProvider>,
  );
  return page.replaceAll(/<[^>]*>/g, "").replaceAll("\u00a0", " ");
}

test("a card about a model says which project may call it then, and its price", () => {
  const card = read({});
  expect(card).toContain("Ben asks for gpt-5 in Search");
  expect(card).toContain("1.25 in and 10.00 out per 1M tokens in USD at list price, times its rate of 1.20");
});

test("a card about a spend limit says what it is, what it becomes and how much more that is", () => {
  const spend_limit = { threshold_amount: 100_000, currency: "USD" };
  const spend_limit_now = { threshold_amount: 45_050, currency: "USD" };
  const card = read({ kind: "spend_limit", model: null, spend_limit, spend_limit_now });
  expect(card).toContain("Ben asks for a higher spend limit of Search");
  expect(card).toContain("Spend limit per month 450.50 → 1,000.00 USD");
  expect(card).toContain("Lets calls of the project cost up to 549.50 USD more a month");
  const late = read({
    kind: "spend_limit",
    model: null,
    spend_limit,
    spend_limit_now: { threshold_amount: 100_000, currency: "USD" },
  });
  expect(late).toContain("as high already");
});

test("of many that wait two are shown at first, and how many more there are", () => {
  const show = (ids: readonly string[]) => {
    const client = new QueryClient();
    const data = { data: ids.map((id) => ({ ...request, id })), has_more: false };
    client.setQueryData(buildReadKey(...waitingRead), { ok: true, data, requestId: null });
    const page = renderToStaticMarkup(
      <QueryClientProvider client={client}>
        <WaitingRequests />
      </QueryClientProvider>,
    );
    return { cards: page.split("<li").length - 1, more: /Show (\d+) more/.exec(page)?.[1] };
  };
  expect(show(["areq_1", "areq_2", "areq_3", "areq_4", "areq_5"])).toEqual({ cards: 2, more: "3" });
  expect(show(["areq_1", "areq_2"])).toEqual({ cards: 2, more: undefined });
});
