import { expect, mock, test } from "bun:test";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { SearchParamsContext } from "next/dist/shared/lib/hooks-client-context.shared-runtime";
import { renderToStaticMarkup } from "react-dom/server";
import { modelReads } from "@/components/models/model-reads";
import { buildReadKey } from "@/lib/console/reads/reads";
import type { Provider } from "@/lib/contract/operations/models/providers";

// Server actions, which the section's dialogs refer to, import it.
mock.module("server-only", () => ({}));
const { ProviderScreen } = await import("./provider-screen");

const provider: Provider = {
  object: "organization.provider",
  id: "nearby",
  kind: "openai",
  base_url: null,
  has_api_key: false,
  api_keys: [],
  resting_api_keys: [],
  protocols: ["chat"],
  auth: "bearer",
  messages_base_url: null,
  output_limit_field: "max_tokens",
  timeouts: {
    connect_seconds: null,
    whole_answer_seconds: null,
    first_event_seconds: null,
    idle_seconds: null,
    total_seconds: null,
  },
  refused_fields: [],
  found_refused_fields: [],
  task_api: null,
  source: "database",
  misconfigured: [],
};

function show(hasMore: boolean): string {
  const client = new QueryClient();
  const reply = { ok: true, data: { data: [provider], has_more: hasMore }, requestId: null };
  client.setQueryData(buildReadKey(...modelReads.providers), reply);
  return renderToStaticMarkup(
    <SearchParamsContext value={new URLSearchParams()}>
      <QueryClientProvider client={client}>
        <ProviderScreen canWrite={false} />
      </QueryClientProvider>
    </SearchParamsContext>,
  );
}

test("a list of providers that goes on beyond the rows shown says so", () => {
  expect(show(true)).toContain("Only the first 1 are listed");
  expect(show(false)).not.toContain("Only the first");
});
