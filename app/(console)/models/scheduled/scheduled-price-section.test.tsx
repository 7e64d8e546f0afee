import { expect, mock, test } from "bun:test";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { AppRouterContext } from "next/dist/shared/lib/app-router-context.shared-runtime";
import { SearchParamsContext } from "next/dist/shared/lib/hooks-client-context.shared-runtime";
import { renderToStaticMarkup } from "react-dom/server";
import { buildReadKey } from "@/lib/console/reads/reads";
import type { OrganizationModel } from "@/lib/contract/operations/models/models";
import { scheduledPricesRead } from "./price-reads";

// The deletion of a scheduled price, a server action, imports it.
mock.module("server-only", () => ({}));
const { ScheduledPriceSection } = await import("./scheduled-price-section");

const model = { id: "sandbox-echo", currency: "USD" } as OrganizationModel;

function show(waits: object): string {
  const client = new QueryClient();
  const price = { id: "price_1", effective_at: 0, rate: "0.4", price: null, unit_price: null, ...waits };
  client.setQueryData(buildReadKey(...scheduledPricesRead(model.id)), {
    ok: true,
    data: { data: [price], has_more: false },
  });
  return renderToStaticMarkup(
    <AppRouterContext value={{ push() {} } as never}>
      <SearchParamsContext value={new URLSearchParams()}>
        <QueryClientProvider client={client}>
          <ScheduledPriceSection model={model} lastMonth={null} canWrite={false} />
        </QueryClientProvider>
      </SearchParamsContext>
    </AppRouterContext>,
  );
}

test("a price that is due and has not taken effect says what it waits for", () => {
  expect(show({ waits_for: "clock" })).toContain("Due. It waits up to ten minutes");
  expect(show({ waits_for: "model" })).toContain("Due. It waits, since the model can’t have this price");
  const scheduled = show({});
  expect(scheduled).toContain("rate 0.40");
  expect(scheduled).not.toContain("Due.");
});
