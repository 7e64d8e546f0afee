import { test as base } from "@playwright/test";
import { type Gatehouse, startGatehouse } from "./start-gatehouse";

type Fixtures = {
  /** Specs that name one have a gatehouse of their own: what they count nobody else adds to. */
  scene: string;
  /** Variables for gateway and console, as a spec's `test.use({ environment: { … } })`. */
  environment: Record<string, string>;
  /** A gateway and a console of this worker's own. */
  gatehouse: Gatehouse;
};

/** Playwright's `test` with a running Gatehouse; `page.goto("/")` is its console. */
export const test = base.extend<object, Fixtures>({
  scene: ["", { option: true, scope: "worker" }],
  environment: [{}, { option: true, scope: "worker" }],
  gatehouse: [
    async ({ environment }, use) => {
      const gatehouse = await startGatehouse(environment);
      await use(gatehouse);
      await gatehouse.stop();
    },
    { scope: "worker" },
  ],
  baseURL: ({ gatehouse }, use) => use(gatehouse.consoleUrl),
});

export { expect } from "@playwright/test";
