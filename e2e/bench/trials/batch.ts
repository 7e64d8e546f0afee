import type { Batch } from "@/lib/contract/operations/tasks/batches";
import { adminApi } from "../../support/clients/admin-api";
import { uploadForm } from "../../support/clients/batch-client";
import { readPeakMegabytes } from "../../support/programs/process-memory";
import type { LoadResult } from "../load/load";
import { foreignMicroseconds, median } from "../measure";
import { readCpuMicroseconds } from "../program";
import { BATCH_MODEL } from "../start-measured-gateway";
import { startBenchStage } from "../start-stage";
import { plainBody } from "../workloads";
import type { TrialResult } from "./trial-result";

const LINES = 50_000;
const PAIRS = 24;
const WINDOW_MS = 6_000;
const SETTLE_MS = 1_500;
const CALLS_PER_SECOND = 150;
/** With this limit a batch that has run in the last minute begins no line. */
const PAUSED = 1;
const ENDLESS = 1_000_000_000;
const MAX_FOREIGN_CORES = 0.5;
const LOOK_AGAIN_MS = 500;

type Stage = Awaited<ReturnType<typeof startBenchStage>>;

interface Window {
  readonly p50: number;
  readonly p99: number;
  /** Processors that other programs took on average. */
  readonly foreignCores: number;
  /** The gateway's processor time for each second. */
  readonly ownCores: number;
  readonly lines: number;
}

interface Pair {
  readonly paused: Window;
  readonly running: Window;
}

/**
 * Calls at a steady rate beside a batch of 50,000 lines, in windows in which the batch runs and windows in which its
 * rate limit pauses it, alternately. A machine whose other programs come and go slows both windows of a pair alike.
 */
export async function tryBatch(): Promise<TrialResult> {
  const stage = await startBenchStage();
  const api = createApi(stage);
  let whole = 0;
  const offer = async (durationMs: number) => {
    const order = { body: plainBody, connections: 16, perSecond: CALLS_PER_SECOND, durationMs };
    const result = await stage.offer(order);
    if (Object.keys(result.failures).length > 0)
      throw new Error(`Not all were answered: ${JSON.stringify(result)}`);
    whole += result.replies;
    return result;
  };
  await offer(WINDOW_MS);
  const { id } = await api.createBatch();
  console.log(`Checked and created: peak ${readPeakMegabytes(stage.pid)} MB`);
  const window = (isRunning: boolean) => measureWindow(stage, api, { id, isRunning }, offer);
  const pairs: Pair[] = [];
  while (pairs.length < PAIRS) {
    const isRunningFirst = pairs.length % 2 === 0;
    const [first, second] = [await window(isRunningFirst), await window(!isRunningFirst)];
    const [running, paused] = isRunningFirst ? [first, second] : [second, first];
    pairs.push({ running, paused });
    console.log(formatTrial({ running, paused }));
  }
  const during = readPeakMegabytes(stage.pid);
  await api.limit(ENDLESS);
  const alone = performance.now();
  const left = LINES - (await api.batch(id)).request_counts.completed;
  const ended = await api.untilEnded(id);
  const rate = Math.round((left * 1_000) / (performance.now() - alone));
  const peak = readPeakMegabytes(stage.pid);
  console.log(`Memory: peak ${during} MB beside live calls, ${peak} MB in all. Alone: ${rate} lines/s`);
  if (ended.request_counts.completed !== LINES)
    throw new Error(`The batch is ${ended.status}: ${JSON.stringify(ended.request_counts)}`);
  const faults = await stage.stop({ whole: whole + LINES });
  return { verdicts: [...judgePairs(pairs), memoryVerdict(peak)], faults };
}

async function measureWindow(
  { pid, pids }: Stage,
  api: ReturnType<typeof createApi>,
  { id, isRunning }: { id: string; isRunning: boolean },
  offer: (durationMs: number) => Promise<LoadResult>,
): Promise<Window> {
  await api.limit(isRunning ? ENDLESS : PAUSED);
  // Calls go on in between: lines that are under way end, and others begin at the pace that live calls leave them.
  await offer(SETTLE_MS);
  const before = {
    foreign: foreignMicroseconds(pids),
    own: readCpuMicroseconds(pid),
    lines: await api.answered(id),
  };
  const { latencyMs, elapsedMs } = await offer(WINDOW_MS);
  const us = elapsedMs * 1_000;
  return {
    p50: latencyMs.p50,
    p99: latencyMs.p99,
    foreignCores: (foreignMicroseconds(pids) - before.foreign) / us,
    ownCores: (readCpuMicroseconds(pid) - before.own) / us,
    lines: (await api.answered(id)) - before.lines,
  };
}

function judgePairs(pairs: readonly Pair[]): TrialResult["verdicts"] {
  const isQuiet = ({ running, paused }: Pair) =>
    Math.max(running.foreignCores, paused.foreignCores) <= MAX_FOREIGN_CORES;
  const quiet = pairs.filter(isQuiet);
  console.log(`${quiet.length} of ${pairs.length} pairs with at most ${MAX_FOREIGN_CORES} foreign cores`);
  for (const [name, some] of [
    ["all", pairs],
    ["quiet", quiet],
  ] as const) {
    if (some.length === 0) continue;
    for (const figure of ["p50", "p99", "ownCores"] as const) {
      const mid = (window: keyof Pair) => median(some.map((pair) => pair[window][figure])).toFixed(2);
      const ratios = some
        .map(({ running, paused }) => running[figure] / paused[figure])
        .toSorted((a, b) => a - b);
      const at = (share: number) => (ratios[Math.floor((ratios.length - 1) * share)] ?? 0).toFixed(2);
      console.log(
        `${name} pairs, ${figure}: ${mid("paused")} paused, ${mid("running")} running, ratio ${at(0.5)} (quartiles ${at(0.25)} to ${at(0.75)})`,
      );
    }
  }
  const used = quiet.length >= PAIRS / 3 ? quiet : pairs;
  const value = median(used.map(({ running, paused }) => running.p99 / paused.p99));
  const what = "p99 of live calls beside a batch ÷ without it";
  return [{ what, value, limit: 1.2, goal: 1.1, isGate: false }];
}

function memoryVerdict(value: number): TrialResult["verdicts"][number] {
  return { what: "peak memory with a batch of 50,000 lines, MB", value, limit: 300, goal: 250, isGate: true };
}

function formatTrial({ paused, running }: Pair): string {
  const format = ({ p50, p99, foreignCores, ownCores, lines }: Window) =>
    `p50 ${p50.toFixed(2)} p99 ${p99.toFixed(2)} ms, own ${ownCores.toFixed(2)}, foreign ${foreignCores.toFixed(2)} cores, ${lines} lines`;
  return `paused: ${format(paused)} | running: ${format(running)}`;
}

/** The requests of the batch's owner. */
function createApi({ url, headers, adminKey }: Stage) {
  const base = new URL(url).origin;
  const admin = adminApi({ baseUrl: base, adminKey });
  const { authorization } = headers;
  const ask = async <Reply>(path: string, init: RequestInit = {}): Promise<Reply> => {
    const reply = await fetch(`${base}/v1${path}`, {
      ...init,
      headers: { authorization, ...(init.headers as Record<string, string>) },
    });
    if (!reply.ok) throw new Error(`${path}: ${await reply.text()}`);
    return (await reply.json()) as Reply;
  };
  const projects = admin.call<{ data: { id: string }[] }>("GET", "/projects");
  return {
    async limit(requests: number) {
      const { data } = await projects;
      await admin.saveRateLimit(data[0]?.id ?? "", BATCH_MODEL, { max_requests_per_1_minute: requests });
    },
    async createBatch() {
      const body = JSON.parse(plainBody) as object;
      const lines = Array.from({ length: LINES }, (_, index) =>
        JSON.stringify({
          custom_id: `line-${index}`,
          method: "POST",
          url: "/v1/chat/completions",
          body: { ...body, model: BATCH_MODEL },
        }),
      );
      const form = uploadForm({ purpose: "batch", file: lines.join("\n") });
      const { id: input_file_id } = await ask<{ id: string }>("/files", { method: "POST", body: form });
      const draft = { input_file_id, endpoint: "/v1/chat/completions", completion_window: "24h" };
      const asked = { "content-type": "application/json" };
      return ask<Batch>("/batches", { method: "POST", headers: asked, body: JSON.stringify(draft) });
    },
    batch: (id: string) => ask<Batch>(`/batches/${id}`),
    answered: async (id: string) => (await ask<Batch>(`/batches/${id}`)).request_counts.completed,
    async untilEnded(id: string): Promise<Batch> {
      for (;;) {
        const batch = await ask<Batch>(`/batches/${id}`);
        if (batch.completed_at !== null || batch.cancelled_at !== null || batch.expired_at !== null)
          return batch;
        await Bun.sleep(LOOK_AGAIN_MS);
      }
    },
  };
}
