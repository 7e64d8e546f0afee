import { expect, test } from "bun:test";
import { builtInRateLimits } from "@/lib/contract/calls/rate-limit-table";
import type { ModelDraft } from "@/lib/contract/operations/models/models";
import type { ProviderDraft } from "@/lib/contract/operations/models/providers";
import { formatAmount } from "@/lib/money/amount";
import { openTemporaryDatabase, testRequest } from "../database/testing/open-temporary-database";
import { saveModelRoutes } from "../routes/models/model-routes";
import { simulatedRuntime } from "../simulation/simulated-runtime";
import { Catalogue, isCallable } from "./catalogue";
import type { ModelEntry } from "./model-entry";
import { createModelStore } from "./model-store.sql";
import { changeModel, createModel, type ModelContext } from "./models";
import { ProviderDirectory } from "./providers/provider-directory";
import { createProviderStore } from "./providers/provider-store.sql";
import { createProvider, deleteProvider } from "./providers/providers";
import { readProviders } from "./providers/read-providers";
import { readModels } from "./read-models";

const key = new Uint8Array(32).fill(3);
const ollama: ProviderDraft = { id: "ollama", kind: "openai", base_url: "http://127.0.0.1:11434/v1/" };
const llama: ModelDraft = {
  id: "meta-llama/Llama-3",
  family: "chat",
  rate: "0.2",
  price: { input_per_1m: "0.25", output_per_1m: "2.00" },
  routes: [{ provider: "ollama", model: "llama3" }],
};

type Store = Awaited<ReturnType<typeof openTemporaryDatabase>>;

async function boot(
  store: Store,
  file: { models?: ModelEntry[]; providers?: ProviderDraft[] } = {},
): Promise<ModelContext> {
  const runtime = simulatedRuntime();
  const models = createModelStore(store.reads);
  const providers = createProviderStore(store.reads, { key, random: runtime.random });
  const defaults = { ...builtInRateLimits, max_requests_per_1_minute: 42 };
  const [catalogue, directory] = [new Catalogue(), new ProviderDirectory(["127.0.0.1"])];
  const changes = await store.changes(
    catalogue.following(() => readModels({ models, configured: file.models ?? [], defaults })),
    directory.following(() =>
      readProviders({ providers, configured: file.providers ?? [] }, (url) => directory.trusts(url)),
    ),
  );
  const projectCache = { find: () => undefined };
  const context = { models, providers, runtime, defaultRateLimits: defaults, changes };
  return { ...context, catalogue, directory, projectCache };
}

async function reboot(store: Store, file?: Parameters<typeof boot>[1]): Promise<ModelContext> {
  await store.reopen();
  return boot(store, file);
}

test("a model of files is refused for a provider whose kind can't make them", async () => {
  await using store = await openTemporaryDatabase();
  const context = await boot(store);
  await createProvider(context, testRequest, ollama);
  const { price: _, ...draft } = llama;
  const tunes = { ...draft, family: "music" as const, unit_price: { unit: "second" as const, amount: "1" } };
  await expect(createModel(context, testRequest, tunes)).rejects.toMatchObject({
    status: 400,
    message: '"ollama" makes only image and video models; choose another provider for a music model.',
  });
});

test("a model that is added answers at once and after a restart, its price exact", async () => {
  await using store = await openTemporaryDatabase();
  const context = await boot(store);
  await createProvider(context, testRequest, ollama);
  await createModel(context, testRequest, llama);
  for (const { catalogue } of [context, await reboot(store)]) {
    const model = catalogue.find(llama.id);
    expect(model).toMatchObject({ source: "database", sandbox: false, maxOutputTokens: null });
    expect(model?.price && formatAmount(model.price.outputPer1m)).toBe("2.00");
    expect(model && isCallable(model)).toBe(true);
    expect(model?.defaultRateLimits.max_requests_per_1_minute).toBe(42);
  }
});

test("the file takes precedence over the database, a saved price over both, and the sandbox comes last", async () => {
  await using store = await openTemporaryDatabase();
  const first = await boot(store);
  await createProvider(first, testRequest, ollama);
  await createModel(first, testRequest, llama);
  await changeModel(first, testRequest, llama.id, { rate: "0.7" });
  const file = { ...llama, description: "From the file", rate_limits: { max_requests_per_1_day: 9 } };
  const unpriced = { ...llama, id: "unpriced", price: undefined };
  const { catalogue } = await reboot(store, { models: [unpriced, file] });
  const model = catalogue.find(llama.id);
  expect(model).toMatchObject({ source: "config", description: "From the file" });
  expect(model && formatAmount(model.rate)).toBe("0.70");
  expect(model?.defaultRateLimits).toMatchObject({
    max_requests_per_1_day: 9,
    max_requests_per_1_minute: 42,
  });
  const ids = catalogue.list().map(({ id }) => id);
  expect(ids.slice(0, 3)).toEqual(["unpriced", llama.id, "sandbox-echo"]);
  expect(catalogue.list().filter(({ sandbox }) => sandbox).length).toBe(14);
  expect(
    catalogue
      .list()
      .filter(isCallable)
      .map(({ id }) => id),
  ).not.toContain("unpriced");
});

test("a change preserves fields that it doesn't name, and survives a restart", async () => {
  await using store = await openTemporaryDatabase();
  const context = await boot(store);
  const admitted = context.catalogue.find("sandbox-echo");
  await changeModel(context, testRequest, "sandbox-echo", { rate: "0.25" });
  await changeModel(context, testRequest, "sandbox-echo", {
    price: { input_per_1m: "3", output_per_1m: "0.000000001" },
  });
  expect(admitted && formatAmount(admitted.rate)).toBe("0.50");
  const { catalogue } = await reboot(store);
  const model = catalogue.find("sandbox-echo");
  expect(model && formatAmount(model.rate)).toBe("0.25");
  expect(model?.price?.outputPer1m).toBe(1n as never);
});

test("a rate alone does not make an unpriced model callable", async () => {
  await using store = await openTemporaryDatabase();
  const context = await boot(store, { models: [{ ...llama, price: undefined }] });
  await expect(changeModel(context, testRequest, llama.id, { rate: "1" })).rejects.toMatchObject({
    status: 400,
  });
  await changeModel(context, testRequest, llama.id, {
    rate: "1",
    price: { input_per_1m: "0", output_per_1m: "0" },
  });
  expect(isCallable(context.catalogue.find(llama.id) as never)).toBe(true);
});

test("a provider that a change does not touch stays the same, and so do the connections to it", async () => {
  await using store = await openTemporaryDatabase();
  const context = await boot(store, { providers: [{ ...ollama, id: "configured" }] });
  await createProvider(context, testRequest, ollama);
  const providersBefore = context.directory.list();
  await createProvider(context, testRequest, { ...ollama, id: "another" });
  await deleteProvider(context, testRequest, "another");
  const providersAfter = context.directory.list();
  expect(providersAfter).toHaveLength(providersBefore.length);
  for (const [index, provider] of providersBefore.entries()) expect(providersAfter[index]).toBe(provider);
});

test("an id there is, in any source, and a route to no provider are refused", async () => {
  await using store = await openTemporaryDatabase();
  const context = await boot(store);
  await expect(createModel(context, testRequest, llama)).rejects.toMatchObject({
    status: 400,
    details: { param: "routes.0.provider" },
  });
  await createProvider(context, testRequest, ollama);
  const results = await Promise.allSettled([
    createModel(context, testRequest, llama),
    createModel(context, testRequest, llama),
  ]);
  expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
  await expect(createModel(context, testRequest, { ...llama, id: "sandbox-echo" })).rejects.toMatchObject({
    status: 409,
    code: "already_exists",
  });
});

test("a provider's key is stored encrypted, and is available after a restart", async () => {
  await using store = await openTemporaryDatabase();
  await createProvider(await boot(store), testRequest, { ...ollama, api_key: "sk-canary" });
  const row = await store.reads.selectFrom("providers").selectAll().executeTakeFirstOrThrow();
  expect(JSON.stringify(row)).not.toContain("canary");
  const { directory } = await reboot(store);
  const provider = directory.find("ollama");
  if (provider?.kind !== "openai") throw new Error("not there");
  expect(provider.baseUrl).toBe("http://127.0.0.1:11434/v1");
  expect(provider.apiKey?.reveal()).toBe("sk-canary");
  expect(JSON.stringify(directory.list())).not.toContain("canary");
});

test("a provider can be deleted only if no model is routed to it and it was added here", async () => {
  await using store = await openTemporaryDatabase();
  const configured = { ...ollama, id: "configured" };
  const context = await boot(store, { providers: [configured] });
  await createProvider(context, testRequest, ollama);
  const [addition, removal] = await Promise.allSettled([
    createModel(context, testRequest, llama),
    deleteProvider(context, testRequest, "ollama"),
  ]);
  expect(addition?.status).toBe("fulfilled");
  expect(removal).toMatchObject({ status: "rejected", reason: { status: 409, code: "in_use" } });
  for (const id of ["sandbox", "configured"]) {
    await expect(deleteProvider(context, testRequest, id)).rejects.toMatchObject({
      status: 403,
      code: "predefined_provider",
    });
  }
  await expect(deleteProvider(context, testRequest, "nobody")).rejects.toMatchObject({ status: 404 });
  await createProvider(context, testRequest, { ...ollama, id: "idle" });
  await deleteProvider(context, testRequest, "idle");
  expect(context.directory.find("idle")).toBeUndefined();
  expect((await reboot(store)).directory.find("idle")).toBeUndefined();
});

test("changed routes hold after a restart, over those of the file, until they are taken back", async () => {
  await using store = await openTemporaryDatabase();
  const file = { models: [llama], providers: [ollama, { ...ollama, id: "second" }] };
  const context = await boot(store, file);
  const shared = [
    { provider: "ollama", model: "llama3", group: 1, weight: 80 },
    { provider: "second", model: "llama3:eu", group: 1, weight: 20 },
  ];
  await saveModelRoutes(context, testRequest, llama.id, shared);
  const later = await reboot(store, file);
  for (const { catalogue } of [context, later])
    expect(catalogue.find(llama.id)).toMatchObject({ routes: shared, definedRoutes: llama.routes });
  const unknown = [{ provider: "third", model: "m" }];
  await expect(saveModelRoutes(later, testRequest, llama.id, unknown)).rejects.toMatchObject({
    status: 400,
    details: { param: "routes.0.provider" },
  });
  await saveModelRoutes(later, testRequest, llama.id, null);
  expect(later.catalogue.find(llama.id)).toMatchObject({ routes: llama.routes, routedAtMs: null });
});

test("a built-in model stays with the sandbox", async () => {
  await using store = await openTemporaryDatabase();
  const context = await boot(store, { providers: [ollama] });
  await expect(saveModelRoutes(context, testRequest, "sandbox-echo", llama.routes)).rejects.toMatchObject({
    status: 403,
  });
});
