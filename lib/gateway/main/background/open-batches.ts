import { callerOfKeyId } from "../../access/authenticate";
import { BatchRunner } from "../../batching/batch-runner";
import { systemChange, type Write } from "../../changes/change";
import type { completionRoutes } from "../../routes/calls/completions";
import { machineTimers } from "../machine-effects";
import type { State } from "../memory/load-state";
import type { StoreOptions, Stores } from "../open-stores";
import type { OpenFiles } from "./open-files";

/** The maximum delay before a new batch is noticed. */
const POLL_MS = 1_000;

type CompletionRoutes = ReturnType<typeof completionRoutes>;

/** Runs batches in the background, including those of an earlier process. `answers` are the live endpoints. */
export function openBatches(
  { effects, logFault }: Pick<StoreOptions, "effects" | "logFault">,
  {
    batches,
    batchClaims,
    idempotentCharges,
    owner,
  }: Pick<Stores, "batches" | "batchClaims" | "idempotentCharges" | "owner">,
  state: State,
  files: OpenFiles,
  answers: CompletionRoutes,
) {
  const { changes, admissions, catalogue, rateLimitMirror } = state;
  const write: Write = (work) => systemChange({ changes }, "batch", work);
  const claims = batchClaims(write, owner);
  const callerOf = (keyId: string) => callerOfKeyId({ ...state, effects }, keyId);
  const runner = new BatchRunner({
    ...files,
    answers: {
      "/v1/chat/completions": answers.createChatCompletion,
      "/v1/embeddings": answers.createEmbedding,
    },
    callerOf,
    claims,
    batches,
    idempotentCharges,
    admissions,
    catalogue,
    rateLimitMirror,
    effects,
    timers: machineTimers,
    logFault,
  });
  // The folder is locked, so the claims of dead processes can be released at once.
  claims.releaseOthers().catch((error: unknown) => logFault("batches", error));
  const timer = setInterval(() => void runner.work(), POLL_MS);
  timer.unref();
  return {
    callerOf,
    workOnBatches: () => void runner.work(),
    stopBatch: (id: string) => runner.cancel(id),
    paceOf: (id: string) => runner.paceOf(id),
    /** The same endpoints for live calls, which take precedence over batch lines. */
    liveCalls: notingLiveCalls(answers, () => runner.noteLiveCall()),
    close() {
      clearInterval(timer);
      return runner.close();
    },
  };
}

function notingLiveCalls(routes: CompletionRoutes, note: () => void): CompletionRoutes {
  const noting = Object.entries(routes).map(([id, answer]) => [
    id,
    (...call: Parameters<typeof answer>) => {
      note();
      return answer(...call);
    },
  ]);
  return Object.fromEntries(noting) as CompletionRoutes;
}
