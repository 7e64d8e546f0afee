import { writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { type CDPSession, chromium, type Page } from "@playwright/test";
import { atMost, formatFigures, meetsTarget } from "@/lib/dev/measure/figure";
import { CHROMIUM_FLAGS, provideChromium } from "@/lib/dev/provide-chromium";
import { adminApi } from "../../support/clients/admin-api";
import { chooseModel } from "../../support/pages/choose-model";
import { signIn } from "../../support/pages/sign-in";
import { DESK } from "../../support/pages/viewports";
import { startGatehouse } from "../../support/programs/start-gatehouse";
import { startMarkdownProvider } from "./markdown-provider";

// Streams long Markdown answers into panes of the playground, in a real browser with the production build, and counts
// the tasks that kept the page from reacting. `npm run bench:streaming -- --panes 3 --tokens 10000 --profile FILE`

const LONG_TASK_MS = 50;
const TIMEOUT_MS = 180_000;

interface Task {
  readonly wallMs: number;
  /** The processor time of this program alone: `wallMs` grows while a busy machine runs others. */
  readonly cpuMs: number;
}

const { values } = parseArgs({
  options: {
    panes: { type: "string", default: "3" },
    tokens: { type: "string", default: "10000" },
    profile: { type: "string" },
  },
});
const panes = Number(values.panes);
const tokens = Number(values.tokens);

const provider = await startMarkdownProvider(tokens);
const gatehouse = await startGatehouse({ GATEHOUSE_OPENING_BALANCE: "1000" });
const { path, env } = provideChromium();
const browser = await chromium.launch({
  executablePath: path,
  args: CHROMIUM_FLAGS,
  env: { ...process.env, ...env } as Record<string, string>,
});
try {
  await createModel();
  const page = await browser.newPage({
    baseURL: gatehouse.consoleUrl,
    viewport: DESK,
  });
  await signIn(page, gatehouse);
  await openPanes(page);
  const { durations, seconds } = await measure(page);
  const countLong = (time: keyof Task) => durations.filter((task) => task[time] > LONG_TASK_MS).length;
  const findLongest = (time: keyof Task) => Math.max(0, ...durations.map((task) => task[time]));
  const busyMs = durations.reduce((sum, { cpuMs }) => sum + cpuMs, 0);
  const figures = [
    atMost(
      0,
      `tasks over ${LONG_TASK_MS} ms of processor time, ${panes} panes × ${tokens} tokens`,
      countLong("cpuMs"),
      "",
    ),
    {
      name: "… over as much time, programs beside it included",
      value: countLong("wallMs"),
      unit: "",
      target: null,
    },
    { name: "longest task, processor time", value: findLongest("cpuMs"), unit: "ms", target: null },
    { name: "longest task", value: findLongest("wallMs"), unit: "ms", target: null },
    { name: "the page's thread busy", value: busyMs / 1_000, unit: "s", target: null },
    { name: "until all have ended", value: seconds, unit: "s", target: null },
  ];
  for (const line of formatFigures(figures)) console.log(line);
  process.exitCode = figures.every(meetsTarget) ? 0 : 1;
} finally {
  await browser.close();
  await gatehouse.stop();
  await provider.stop();
}

async function createModel(): Promise<void> {
  const api = adminApi(gatehouse);
  await api.createProvider("markdown", provider.baseUrl);
  const price = { input_per_1m: "1", output_per_1m: "1" };
  const routes = [{ provider: "markdown", model: "markdown" }];
  await api.createModel({ id: "markdown", family: "chat", rate: "1", price, routes });
}

async function openPanes(page: Page): Promise<void> {
  await page.goto("/playground?model=markdown");
  await page.getByLabel("Model", { exact: true }).waitFor();
  for (let place = 2; place <= panes; place++) {
    await page.keyboard.press("Alt+KeyP");
    await chooseModel(page.getByRole("region", { name: `Pane ${place}:` }), "markdown");
  }
}

/** Sends a message to all panes, and waits until each answer has ended. */
async function measure(page: Page) {
  const devtools = await page.context().newCDPSession(page);
  if (values.profile) await startProfile(devtools);
  const tasks = await traceTasks(devtools);
  const beganAt = performance.now();
  await page.getByRole("textbox", { name: "Message", exact: true }).fill("Write a long text");
  await page.keyboard.press("Enter");
  // Rarely and cheaply, since this runs on the thread that is measured.
  await page.waitForFunction((count) => document.querySelectorAll("footer dl").length >= count, panes, {
    polling: 1_000,
    timeout: TIMEOUT_MS,
  });
  const seconds = (performance.now() - beganAt) / 1_000;
  const durations = await tasks.end();
  if (values.profile) await saveProfile(devtools, values.profile);
  return { durations, seconds };
}

interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  /** Microseconds: the duration, and the processor time in it. */
  readonly dur?: number;
  readonly tdur?: number;
  readonly args: { readonly name?: string };
}

/** Records the tasks of the page's main thread, until `end` returns their durations. */
async function traceTasks(devtools: CDPSession) {
  const events: TraceEvent[] = [];
  devtools.on("Tracing.dataCollected", ({ value }) => events.push(...(value as unknown as TraceEvent[])));
  const isEnded = new Promise<void>((resolve) => devtools.once("Tracing.tracingComplete", () => resolve()));
  await devtools.send("Tracing.start", {
    traceConfig: { includedCategories: ["toplevel", "__metadata"], excludedCategories: ["*"] },
    transferMode: "ReportEvents",
  });
  return {
    async end(): Promise<Task[]> {
      await devtools.send("Tracing.end");
      await isEnded;
      const tasks = events.filter(({ name }) => name === "ThreadControllerImpl::RunTask");
      const mains = events.filter(
        ({ name, args }) => name === "thread_name" && args.name === "CrRendererMain",
      );
      const isOfPage = ({ pid, tid }: TraceEvent) =>
        mains.some((main) => main.pid === pid && main.tid === tid);
      return tasks
        .filter(isOfPage)
        .map(({ dur = 0, tdur = dur }) => ({ wallMs: dur / 1_000, cpuMs: tdur / 1_000 }));
    },
  };
}

async function startProfile(devtools: CDPSession): Promise<void> {
  await devtools.send("Profiler.enable");
  await devtools.send("Profiler.setSamplingInterval", { interval: 500 });
  await devtools.send("Profiler.start");
}

/** Saves a profile for the browser's developer tools. */
async function saveProfile(devtools: CDPSession, file: string): Promise<void> {
  const { profile } = await devtools.send("Profiler.stop");
  await writeFile(file, JSON.stringify(profile));
}
