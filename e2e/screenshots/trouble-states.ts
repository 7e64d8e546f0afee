import type { Page } from "@playwright/test";
import { chooseModel } from "../support/pages/choose-model";
import { sendMessage } from "../support/pages/message-box";
import { openAsMember } from "../support/pages/open-as-member";
import { selectProject } from "../support/pages/select-project";
import type { Gatehouse } from "../support/programs/start-gatehouse";
import { listBatchTroubles } from "./batch-states";
import { listConflicts } from "./conflict-states";
import { button, inDialog } from "./find-button";
import type { SampleData } from "./make-sample-data";
import { listWithoutProject } from "./no-project-states";
import type { State } from "./states";

/** What goes wrong, is refused, is missing or is too long. */
export function listTroubles(sample: SampleData, gatehouse: Gatehouse): readonly State[] {
  return [
    ...failedAnswers(sample),
    ...listConflicts(sample, gatehouse),
    ...listBatchTroubles(sample),
    ...listWithoutProject(gatehouse),
    ...refusals(sample, gatehouse),
    ...faultyInput,
    ...extremes(sample, gatehouse),
  ];
}

function failedAnswers({ prompt }: SampleData): readonly State[] {
  return [
    {
      name: "failed-panes",
      address: "/playground?model=sandbox-echo",
      reach: async (page) => {
        const limit = page.getByLabel("Max output tokens");
        if (await limit.isVisible()) await limit.fill("4");
        for (const [index, model] of ["sandbox-500", "sandbox-cut"].entries()) {
          await button(page, "Add pane").click();
          await chooseModel(page.getByRole("region", { name: `Pane ${index + 2}:` }), model);
        }
        await sendMessage(page, "What is a rate limit, in two sentences?");
        await page.getByText("The answer broke off").waitFor();
      },
    },
    {
      name: "prompt-run",
      address: `/prompts/${prompt}?tab=cases`,
      reach: async (page) => {
        if ((await page.getByText("Grace").count()) === 0) {
          await button(page, "Add from CSV").click();
          await page.getByLabel("CSV", { exact: true }).fill("name,check:contains\nGrace,Grace\nAda,Bob");
          await inDialog(page, /^Add \d/).click();
          await button(page, /^Save \d/).click();
          await page.getByText(/^Saved \d/).waitFor();
        }
        await page.getByRole("link", { name: "Runs" }).click();
        for (const model of ["sandbox-echo", "sandbox-500"]) {
          await page.getByRole("checkbox", { name: model, exact: true }).check();
        }
        await button(page, /^Run \d/).click();
        await button(page, /^Run the \d+ that did not finish/).waitFor();
      },
    },
  ];
}

function refusals({ archived }: SampleData, gatehouse: Gatehouse): readonly State[] {
  return [
    {
      name: "no-permission",
      address: "/models/new",
      reach: async (page) => {
        const email = `finance-${Date.now()}@example.com`;
        await openAsMember(page.context(), gatehouse, { email, name: "Fin", role: "finance" });
        await page.reload();
        await page.getByText("You don’t have permission").waitFor();
      },
    },
    { name: "archived", address: `/projects/${archived}`, reach: async () => {} },
    { name: "no-such-role", address: "/roles/role_gone", reach: async () => {} },
    {
      name: "session-ended",
      address: "/rate-limits/rl_sandbox-echo",
      reach: async (page) => {
        await page.getByLabel(/^Requests per minute/).fill("8");
        await page.context().clearCookies({ name: /gatehouse_session/ });
        await button(page, /^Save/).click();
        await page.getByText("Sign in to continue where you were.").waitFor();
      },
    },
    {
      name: "next-page-fails",
      address: "/requests",
      reach: async (page) => {
        await page.context().setOffline(true);
        await button(page, "Load more").click();
        await button(page, "Try again").waitFor();
      },
    },
  ];
}

const pastePayments = (name: string, csv: string, awaited: string): State => ({
  name,
  address: "/payments/import",
  reach: async (page) => {
    await page.getByLabel("Payments as CSV", { exact: true }).fill(`amount,reference\n${csv}`);
    await page.getByText(awaited).waitFor();
  },
});

const faultyInput: readonly State[] = [
  pastePayments("import-faults", "1.234,A\n-5,B\n1,234.50\nabc,D", "Nothing can be recorded yet"),
  pastePayments("import-plan", "2500.00,Invoice 2026-11\n7,C\n7,c", "seem to be recorded already"),
];

function extremes({ longNamed, empty }: SampleData, gatehouse: Gatehouse): readonly State[] {
  const inProject = (id: string) => async (page: Page) => {
    await selectProject(page.context(), gatehouse, id);
    await page.reload();
    await page.locator("h1").first().waitFor();
  };
  return [
    { name: "long-names", address: "/keys", reach: inProject(longNamed) },
    { name: "long-limit", address: "/rate-limits/rl_sandbox-echo", reach: inProject(longNamed) },
    { name: "long-calls", address: `/requests?project_id=${longNamed}`, reach: async () => {} },
    { name: "empty-batches", address: "/batches", reach: inProject(empty) },
    {
      name: "zoomed",
      address: "/requests",
      // 200 % of a window of 1440 by 900.
      reach: async (page) => page.setViewportSize({ width: 720, height: 450 }),
    },
    {
      name: "forced-colors",
      address: "/requests",
      reach: async (page) => page.emulateMedia({ forcedColors: "active" }),
    },
    {
      name: "printed",
      address: `/statements/${new Date().toISOString().slice(0, 7)}`,
      reach: async (page) => page.emulateMedia({ media: "print" }),
    },
  ];
}
