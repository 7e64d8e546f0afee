import { defineConfig, devices } from "@playwright/test";
import { CHROMIUM_FLAGS, provideChromium } from "@/lib/dev/provide-chromium";

const browser = provideChromium();

export default defineConfig({
  testDir: "e2e/browser",
  testMatch: "**/*.spec.ts",
  globalSetup: "./e2e/support/fixtures/build-once.ts",
  outputDir: "test-results",
  workers: 2,
  fullyParallel: false,
  forbidOnly: Boolean(process.env.CI),
  retries: 0,
  timeout: 60_000,
  reporter: "list",
  use: {
    ...devices["Desktop Chrome"],
    viewport: { width: 1440, height: 900 },
    // Nothing has to be painted twice to be seen. A spec of its own holds what moves.
    contextOptions: { reducedMotion: "reduce" },
    // A trace of every test costs a third of the run: `npx playwright test --trace on …` makes one.
    screenshot: "only-on-failure",
    launchOptions: {
      executablePath: browser.path,
      args: CHROMIUM_FLAGS,
      env: { ...process.env, ...browser.env } as Record<string, string>,
    },
  },
});
