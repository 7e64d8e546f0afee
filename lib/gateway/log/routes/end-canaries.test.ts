import { expect, test } from "bun:test";
import { DAY_MS, SECOND_MS } from "@/lib/contract/durations";
import type { ModelRoute } from "@/lib/contract/operations/models/models";
import { openTemporaryDatabase } from "../../database/testing/open-temporary-database";
import type { CatalogueModel } from "../../models/catalogue";
import { createModelStore } from "../../models/model-store.sql";
import { simulatedRuntime } from "../../simulation/simulated-runtime";
import { endFailingCanaries } from "./end-canaries";

const runtime = simulatedRuntime();
const nowS = runtime.clock.nowMs() / SECOND_MS;
const main = { provider: "a", model: "m", group: 1 };
const canary = { provider: "b", model: "m", group: 1, weight: 5, ends_at: nowS + 3_600 };

type Counts = readonly [provider: string, attempts: number, errors: number];

/** The routes that are stored once a process has looked at canaries; null where it changes none. */
async function look(routes: readonly ModelRoute[], counts: readonly Counts[], changesMeanwhile = false) {
  await using store = await openTemporaryDatabase();
  const models = createModelStore(store.reads);
  let model = { id: "fake", routes, routedAtMs: null } as unknown as CatalogueModel;
  const asked: number[] = [];
  await endFailingCanaries({
    changes: await store.changes(),
    catalogue: { list: () => [model], find: () => model },
    models,
    runtime,
    routeActivity: {
      async routeActivity(_model, fromMs) {
        asked.push(fromMs);
        if (changesMeanwhile) model = { ...model, routes: [...routes] };
        const counted = counts.map(([provider, attempts, errors]) => ({
          provider,
          model: "m",
          attempts,
          errors,
          firstByteP50Ms: null,
          firstByteP95Ms: null,
        }));
        return { sinceMs: 0, calls: 0, answered: 0, byFallback: 0, routes: counted, causes: [], recent: [] };
      },
    },
  });
  const [stored] = await models.routes.list();
  return { routes: stored?.routes ?? null, asked };
}

test("a canary that fails plainly more often than its group is ended now, and says why", async () => {
  const { routes, asked } = await look(
    [main, canary],
    [
      ["a", 540, 3],
      ["b", 60, 12],
    ],
  );
  expect(routes).toEqual([
    main,
    {
      ...canary,
      ends_at: nowS,
      ended_early: "Ended early: 12 of its 60 calls failed, and 3 of 540 on the other routes of its group.",
    },
  ]);
  expect(asked).toEqual([runtime.clock.nowMs() - DAY_MS]);
});

test.each<[string, readonly ModelRoute[], readonly Counts[]]>([
  [
    "has had too few calls",
    [main, canary],
    [
      ["a", 540, 0],
      ["b", 49, 49],
    ],
  ],
  [
    "stands beside too few",
    [main, canary],
    [
      ["a", 49, 0],
      ["b", 60, 12],
    ],
  ],
  [
    "is at most five points worse",
    [main, canary],
    [
      ["a", 1_000, 0],
      ["b", 1_000, 50],
    ],
  ],
  [
    "is at most three times as bad",
    [main, canary],
    [
      ["a", 100, 10],
      ["b", 100, 30],
    ],
  ],
  [
    "is no canary, but a fallback with an end",
    [main, { ...canary, group: 2 }],
    [
      ["a", 540, 3],
      ["b", 60, 60],
    ],
  ],
  [
    "has ended",
    [main, { ...canary, ends_at: nowS }],
    [
      ["a", 540, 3],
      ["b", 60, 60],
    ],
  ],
])("a route goes on as it was that %s", async (_, routes, counts) => {
  expect((await look(routes, counts)).routes).toBeNull();
});

test("routes that were changed while their calls were counted stay as they are", async () => {
  const counts: Counts[] = [
    ["a", 540, 3],
    ["b", 60, 60],
  ];
  expect((await look([main, canary], counts, true)).routes).toBeNull();
});
