import type { Page } from "@playwright/test";
import { chooseModel } from "../support/pages/choose-model";
import { sendMessage } from "../support/pages/message-box";
import { button, inDialog } from "./find-button";
import type { SampleData } from "./make-sample-data";

/** What a screen shows after somebody has acted on it: a dialog, a menu, an error. */
export interface State {
  readonly name: string;
  readonly address: string;
  readonly reach: (page: Page) => Promise<void>;
}

/** The states to look at, beside the screens as they open. */
export function listStates({ project, refused }: SampleData): readonly State[] {
  return [...shellStates, ...listOfCalls(refused), ...formStates, ...limitStates(project), panes];
}

const shellStates: readonly State[] = [
  {
    name: "palette",
    address: "/projects",
    reach: async (page) => {
      await page.keyboard.press("ControlOrMeta+K");
      await page.getByRole("combobox", { name: "Screen, project or command" }).fill("key");
    },
  },
  {
    name: "shortcuts",
    address: "/requests",
    reach: async (page) => {
      await page.keyboard.press("?");
      await page.getByText("Show the next row").waitFor();
    },
  },
  {
    name: "offline",
    address: "/tasks",
    reach: async (page) => {
      await page.context().setOffline(true);
      await page.getByLabel("Status", { exact: true }).selectOption("failed");
      await button(page, "Try again").waitFor();
    },
  },
];

function listOfCalls(refused: string): readonly State[] {
  return [
    {
      name: "drawer",
      address: "/requests?outcome=refused",
      reach: async (page) => {
        await page.locator(`main a[href*="${refused}"]`).first().click();
        await page.getByRole("dialog").getByText("Checks, in order").waitFor();
      },
    },
    { name: "filters", address: "/requests", reach: async (page) => button(page, "Filters").click() },
    {
      name: "range",
      address: "/requests",
      reach: async (page) => {
        await page.getByLabel("Time", { exact: true }).selectOption("own");
        await page.getByRole("dialog").waitFor();
      },
    },
    { name: "no-match", address: "/requests?model=no-such-model", reach: async () => {} },
    { name: "export-menu", address: "/requests", reach: async (page) => button(page, "Export").click() },
  ];
}

const formStates: readonly State[] = [
  {
    name: "payment-error",
    address: "/balance",
    reach: async (page) => {
      await button(page, "Record payment").click();
      await page.getByLabel("Amount").fill("ten");
      await inDialog(page, "Record payment").click();
    },
  },
  {
    name: "new-key",
    address: "/keys",
    reach: async (page) => {
      await button(page, "Create key").click();
      await page.getByRole("textbox", { name: "Name" }).fill("laptop");
      await inDialog(page, "Create key").click();
      await page
        .getByText(/gk_live_/)
        .last()
        .waitFor();
    },
  },
  { name: "delete-key", address: "/keys", reach: async (page) => button(page, /^Delete/).click() },
];

function limitStates(project: string): readonly State[] {
  const address = `/rate-limits/rl_sandbox-echo?project=${project}`;
  const field = (page: Page) => page.getByLabel(/^Requests per minute/);
  const save = (page: Page) => page.getByRole("button", { name: /^Save/ }).click();
  return [
    {
      name: "limit-saved",
      address,
      reach: async (page) => {
        await field(page).fill(String(Number(await field(page).inputValue()) + 1));
        await save(page);
        await button(page, "Undo").waitFor();
      },
    },
    {
      name: "limit-error",
      address,
      reach: async (page) => {
        await field(page).fill("many");
        await save(page);
      },
    },
    {
      name: "leave",
      address,
      reach: async (page) => {
        await field(page).fill("7");
        await page.locator('a[href$="/limits"]').last().click();
        await page.getByRole("dialog").waitFor();
      },
    },
  ];
}

const panes: State = {
  name: "panes",
  address: "/playground?model=sandbox-echo",
  reach: async (page) => {
    for (const [index, model] of ["sandbox-chat", "gpt-5-mini"].entries()) {
      await button(page, "Add pane").click();
      await chooseModel(page.getByRole("region", { name: `Pane ${index + 2}:` }), model);
    }
    await sendMessage(page, "What is a rate limit, in two sentences?");
    await page.getByText("to first").last().waitFor();
  },
};
