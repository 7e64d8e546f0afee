import { test as base } from "@playwright/test";
import { type ConsoleElsewhere, startElsewhere } from "./elsewhere";
import { type Stage, startStage } from "./stage";
import type { Gatehouse } from "./start-gatehouse";

type Fixtures = {
  /** A spec that names a scene starts with empty data, so that other specs don't affect its counts. */
  scene: string;
  /** Variables for the gateway. Set with `test.use({ environment: { … } })`. */
  environment: Record<string, string>;
  /** A console, and the gateway of the spec's scene. */
  gatehouse: Gatehouse;
};

type WorkerFixtures = {
  stage: Stage;
  /** A console for other gateways, which the test starts itself. */
  elsewhere: ConsoleElsewhere;
};

/** Playwright's `test` with a running Gatehouse. `page.goto("/")` opens its console. */
export const test = base.extend<Fixtures, WorkerFixtures>({
  scene: ["", { option: true }],
  environment: [{}, { option: true }],
  stage: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixtures' names from this pattern.
    async ({}, use) => {
      const stage = await startStage();
      await use(stage);
      await stage.stop();
    },
    { scope: "worker" },
  ],
  elsewhere: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixtures' names from this pattern.
    async ({}, use) => {
      const elsewhere = await startElsewhere();
      await use(elsewhere);
      await elsewhere.stop();
    },
    { scope: "worker" },
  ],
  gatehouse: async ({ stage, scene, environment }, use) => use(await stage.show(scene, environment)),
  baseURL: ({ gatehouse }, use) => use(gatehouse.consoleUrl),
});

export { expect } from "@playwright/test";
