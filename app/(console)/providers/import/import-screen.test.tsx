import { expect, mock, test } from "bun:test";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { AppRouterContext } from "next/dist/shared/lib/app-router-context.shared-runtime";
import { renderToStaticMarkup } from "react-dom/server";
import type { OfferedModel } from "@/lib/contract/operations/models/provider-tests";
import { beginChoices } from "./import-choices";
import { ModelTable } from "./model-table";

// Server actions, which the screen refers to, import it.
mock.module("server-only", () => ({}));
const { ImportScreen } = await import("./import-screen");

const offered = (model: string, more: Partial<OfferedModel> = {}): OfferedModel => ({
  model,
  suggested_id: model,
  family: "chat",
  context_window: 400_000,
  max_output_tokens: null,
  input_modalities: null,
  price: { input_per_1m: "1.25", cached_input_per_1m: "0.125", output_per_1m: "10" },
  unit_price: null,
  audio_price: null,
  price_source: "catalogue",
  imported: null,
  unusable: null,
  ...more,
});

const nothing = () => {};
const router = {
  push: nothing,
  refresh: nothing,
  back: nothing,
  forward: nothing,
  replace: nothing,
  prefetch: nothing,
};

test("the page begins with the service, and says that models are listed once it is tested", () => {
  const shown = renderToStaticMarkup(
    <AppRouterContext value={router as never}>
      <QueryClientProvider client={new QueryClient()}>
        <ImportScreen savedId={null} currency="USD" projects={[{ id: "p", name: "Research" }]} />
      </QueryClientProvider>
    </AppRouterContext>,
  );
  expect(shown).toContain("Add a provider");
  expect(shown).toContain("Anthropic");
  expect(shown).toContain("once it is tested");
  expect(shown).toContain("Test and list models");
});

test("the table says what has a price, what is here already, and what the catalogue doesn't know", () => {
  const data = [
    offered("gpt-5"),
    offered("gpt-5-mini", { imported: { id: "gpt-5-mini", rate: "0.20" } }),
    offered("ft:x", { price: null, price_source: null, context_window: null }),
    offered("whisper-1", {
      family: "transcription",
      price: null,
      unit_price: { unit: "minute", amount: "0.006" },
    }),
    offered("live", { unusable: "needs the Realtime API" }),
  ];
  const shown = renderToStaticMarkup(
    <ModelTable
      offer={{
        data,
        has_more: false,
        catalogue_date: "2026-11-26",
        list_currency: "USD",
        exchange_rate: null,
      }}
      currency="USD"
      choices={beginChoices(data)}
      change={nothing}
      changeAll={nothing}
      isLocal={false}
      rate="1.00"
      setRate={nothing}
      showsUnusable={false}
    />,
  );
  expect(shown).toContain("3 of 4 models have a known price");
  expect(shown).toContain("from the catalogue of 26 November 2026");
  expect(shown).toContain("already here, 0.20");
  expect(shown).toContain("not in the catalogue");
  expect(shown).toContain("per minute");
  expect(shown).not.toContain("Realtime");
});
