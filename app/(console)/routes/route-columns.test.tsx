import { expect, test } from "bun:test";
import { renderToStaticMarkup } from "react-dom/server";
import type { ModelRoute, OrganizationModel } from "@/lib/contract/operations/models/models";
import type { Health } from "@/lib/contract/operations/usage/health";
import { routeColumns } from "./route-columns";

const openai = { provider: "openai", model: "gpt-5" };
const azure = { provider: "azure", model: "gpt-5-eu" };
const spare = { provider: "spare", model: "llama" };

function healthWith(...open: ModelRoute[]): Health {
  const providers = open.map(({ provider, model }) => ({ id: provider, open_circuits: [{ model }] }));
  return { models: [{ id: "m", calls: 200, errors: 20 }], providers } as unknown as Health;
}

function show(column: string, routes: ModelRoute[], health: Health | null = healthWith()): string {
  const model = { id: "m", routes } as OrganizationModel;
  const cell = routeColumns(health)
    .find(({ id }) => id === column)
    ?.cell(model);
  return renderToStaticMarkup(<>{cell}</>)
    .replaceAll(/<svg.*?<\/svg>/g, "→")
    .replaceAll(/<[^>]+>/g, "");
}

test("a model's routes stand by groups, with the share of each in its group", () => {
  const routes = [
    { ...openai, group: 1, weight: 300 },
    { ...azure, group: 1 },
    { ...spare, group: 2 },
  ];
  expect(show("first", routes)).toBe("openai→gpt-575 %azure→gpt-5-eu25 %");
  expect(show("then", routes)).toBe("spare→llama");
  expect(show("then", [openai])).toBe("no fallback");
  expect(
    show("first", [
      { ...openai, group: 1, weight: 0 },
      { ...azure, group: 1 },
    ]),
  ).toContain("gpt-5off");
  const cheapest = [openai, azure].map((route) => ({ ...route, group: 1, order: "price" as const }));
  expect(show("first", cheapest)).toBe("openai→gpt-5azure→gpt-5-euthe cheapest first");
});

test("routes whose circuit is open are named, and a model without another says that calls are refused", () => {
  expect(show("state", [openai, spare])).toContain("healthy");
  expect(show("state", [openai, spare], healthWith(openai))).toContain("openai skipped");
  expect(show("state", [openai, spare], healthWith({ ...openai, model: "other" }))).toContain("healthy");
  expect(show("state", [openai], healthWith(openai))).toContain("calls are refused");
});

test("a canary that was ended early is named", () => {
  const ended = { ...azure, ends_at: 1, ended_early: "Ended early: 12 of its 60 calls failed." };
  expect(show("state", [openai, ended])).toContain("canary at azure ended early");
});

test("calls and failures are shown to whom may see them alone", () => {
  expect(show("calls", [openai])).toBe("200");
  expect(show("failed", [openai])).toContain("10.0 %");
  expect(routeColumns(null).map(({ id }) => id)).toEqual(["model", "first", "then"]);
});
