import { expect, test } from "bun:test";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { SearchParamsContext } from "next/dist/shared/lib/hooks-client-context.shared-runtime";
import { renderToStaticMarkup } from "react-dom/server";
import { filterNames } from "./request-filter";
import { RequestFilters } from "./request-screen";

/** The filters as a page whose address sets one of them shows them at first. */
function show(name: (typeof filterNames)[number], value: string): string {
  return renderToStaticMarkup(
    <SearchParamsContext value={new URLSearchParams({ [name]: value })}>
      <QueryClientProvider client={new QueryClient()}>
        <RequestFilters active={[name]} />
      </QueryClientProvider>
    </SearchParamsContext>,
  );
}

const isShown = (html: string, value: string) =>
  [...html.matchAll(/<(?:option|input)\b[^>]*>/g)].some(
    ([tag]) => tag.includes(`value="${value}"`) && (tag.startsWith("<input") || tag.includes("selected")),
  );

test("a filter that the address sets is shown; one in the panel opens it and is counted", () => {
  const alwaysShown = ["project_id", "model", "outcome"];
  for (const name of filterNames) {
    const value = name === "outcome" ? "refused" : name === "refused_by" ? "balance" : "404";
    const html = show(name, value);
    expect([name, isShown(html, value)]).toEqual([name, true]);
    const isInPanel = !alwaysShown.includes(name);
    expect([name, html.includes('aria-expanded="true"')]).toEqual([name, isInPanel]);
    expect([name, html.includes("Filters (1)")]).toEqual([name, isInPanel]);
  }
});
