import { expect, test } from "bun:test";
import type { ModelDraft } from "@/lib/contract/operations/models";
import type { ProviderDraft } from "@/lib/contract/operations/providers";
import { builtInRateLimits } from "@/lib/contract/rate-limit-table";
import { formatAmount } from "@/lib/money/amount";
import { oneAtATime } from "../ports/one-at-a-time";
import { simulatedEffects } from "../simulation/simulated-effects";
import type { Database } from "../store/database";
import { openTemporaryDatabase } from "../store/open-temporary-database";
import { createSqliteModelStore } from "../store/sqlite-model-store";
import { createSqliteProviderStore } from "../store/sqlite-provider-store";
import { changeModel } from "./change-model";
import { createModel } from "./create-model";
import { createProvider } from "./create-provider";
import { deleteProvider } from "./delete-provider";
import { isCallable } from "./is-callable";
import { loadCatalogue } from "./load-catalogue";
import { loadProviderDirectory } from "./load-provider-directory";
import type { ModelContext } from "./model-context";
import type { ModelEntry } from "./model-entry";

const key = new Uint8Array(32).fill(3);
const ollama: ProviderDraft = { id: "ollama", kind: "openai", base_url: "http://127.0.0.1:11434/v1/" };
const llama: ModelDraft = {
  id: "meta-llama/Llama-3",
  family: "chat",
  rate: "0.2",
  price: { input_per_1m: "0.25", output_per_1m: "2.00" },
  routes: [{ provider: "ollama", model: "llama3" }],
};

async function boot(
  database: Database,
  file: { models?: ModelEntry[]; providers?: ProviderDraft[] } = {},
): Promise<ModelContext> {
  const effects = simulatedEffects();
  const models = createSqliteModelStore(database);
  const providers = createSqliteProviderStore(database, { key, random: effects.random });
  const defaultRateLimits = { ...builtInRateLimits, max_requests_per_1_minute: 42 };
  return {
    models,
    providers,
    effects,
    defaultRateLimits,
    inTurn: oneAtATime(),
    catalogue: await loadCatalogue(models, file.models ?? [], defaultRateLimits),
    directory: await loadProviderDirectory(providers, file.providers ?? [], ["127.0.0.1"]),
  };
}

test("a model that is added answers at once and after a restart, its price exact", async () => {
  await using store = await openTemporaryDatabase();
  const context = await boot(store.database);
  await createProvider(context, ollama);
  await createModel(context, llama);
  for (const { catalogue } of [context, await boot(await store.reopen())]) {
    const model = catalogue.find(llama.id);
    expect(model).toMatchObject({ source: "database", sandbox: false, maxOutputTokens: 16_384 });
    expect(model?.price && formatAmount(model.price.outputPer1m)).toBe("2.00");
    expect(model && isCallable(model)).toBe(true);
    expect(model?.defaultRateLimits.max_requests_per_1_minute).toBe(42);
  }
});

test("the file stands before the database, a saved price before both, and the sandbox comes last", async () => {
  await using store = await openTemporaryDatabase();
  const first = await boot(store.database);
  await createProvider(first, ollama);
  await createModel(first, llama);
  await changeModel(first, llama.id, { rate: "0.7" });
  const file = { ...llama, description: "From the file", rate_limits: { max_requests_per_1_day: 9 } };
  const unpriced = { ...llama, id: "unpriced", price: undefined };
  const { catalogue } = await boot(await store.reopen(), { models: [unpriced, file] });
  const model = catalogue.find(llama.id);
  expect(model).toMatchObject({ source: "config", description: "From the file" });
  expect(model && formatAmount(model.rate)).toBe("0.70");
  expect(model?.defaultRateLimits).toMatchObject({
    max_requests_per_1_day: 9,
    max_requests_per_1_minute: 42,
  });
  const ids = catalogue.list().map(({ id }) => id);
  expect(ids.slice(0, 3)).toEqual(["unpriced", llama.id, "sandbox-echo"]);
  expect(catalogue.list().filter(({ sandbox }) => sandbox).length).toBe(7);
  expect(
    catalogue
      .list()
      .filter(isCallable)
      .map(({ id }) => id),
  ).not.toContain("unpriced");
});

test("a change keeps what it does not name, and is still there after a restart", async () => {
  await using store = await openTemporaryDatabase();
  const context = await boot(store.database);
  const admitted = context.catalogue.find("sandbox-echo");
  await changeModel(context, "sandbox-echo", { rate: "0.25" });
  await changeModel(context, "sandbox-echo", { price: { input_per_1m: "3", output_per_1m: "0.000000001" } });
  expect(admitted && formatAmount(admitted.rate)).toBe("0.50");
  const { catalogue } = await boot(await store.reopen());
  const model = catalogue.find("sandbox-echo");
  expect(model && formatAmount(model.rate)).toBe("0.25");
  expect(model?.price?.outputPer1m).toBe(1n as never);
});

test("a rate alone does not make an unpriced model callable", async () => {
  await using store = await openTemporaryDatabase();
  const context = await boot(store.database, { models: [{ ...llama, price: undefined }] });
  await expect(changeModel(context, llama.id, { rate: "1" })).rejects.toMatchObject({ status: 400 });
  await changeModel(context, llama.id, { rate: "1", price: { input_per_1m: "0", output_per_1m: "0" } });
  expect(isCallable(context.catalogue.find(llama.id) as never)).toBe(true);
});

test("an id there is, in any source, and a route to no provider are refused", async () => {
  await using store = await openTemporaryDatabase();
  const context = await boot(store.database);
  await expect(createModel(context, llama)).rejects.toMatchObject({
    status: 400,
    details: { param: "routes.0.provider" },
  });
  await createProvider(context, ollama);
  const both = await Promise.allSettled([createModel(context, llama), createModel(context, llama)]);
  expect(both.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
  await expect(createModel(context, { ...llama, id: "sandbox-echo" })).rejects.toMatchObject({
    status: 409,
    code: "already_exists",
  });
});

test("a provider's key is kept sealed, and comes back after a restart", async () => {
  await using store = await openTemporaryDatabase();
  await createProvider(await boot(store.database), { ...ollama, api_key: "sk-canary" });
  const row = await store.database.selectFrom("providers").selectAll().executeTakeFirstOrThrow();
  expect(JSON.stringify(row)).not.toContain("canary");
  const { directory } = await boot(await store.reopen());
  const provider = directory.find("ollama");
  if (provider?.kind !== "openai") throw new Error("not there");
  expect(provider.baseUrl).toBe("http://127.0.0.1:11434/v1");
  expect(provider.apiKey?.reveal()).toBe("sk-canary");
  expect(JSON.stringify(directory.list())).not.toContain("canary");
});

test("a provider goes only when no model is routed to it, and only if it was added here", async () => {
  await using store = await openTemporaryDatabase();
  const configured = { ...ollama, id: "configured" };
  const context = await boot(store.database, { providers: [configured] });
  await createProvider(context, ollama);
  const [added, removed] = await Promise.allSettled([
    createModel(context, llama),
    deleteProvider(context, "ollama"),
  ]);
  expect(added?.status).toBe("fulfilled");
  expect(removed).toMatchObject({ status: "rejected", reason: { status: 409, code: "in_use" } });
  for (const id of ["sandbox", "configured"]) {
    await expect(deleteProvider(context, id)).rejects.toMatchObject({
      status: 403,
      code: "predefined_provider",
    });
  }
  await expect(deleteProvider(context, "nobody")).rejects.toMatchObject({ status: 404 });
  await createProvider(context, { ...ollama, id: "idle" });
  await deleteProvider(context, "idle");
  expect(context.directory.find("idle")).toBeUndefined();
  expect((await boot(await store.reopen())).directory.find("idle")).toBeUndefined();
});
