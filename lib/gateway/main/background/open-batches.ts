import { findPresentCaller } from "../../access/authenticate";
import { BatchRunner } from "../../batches/batch-runner";
import type { AnswerLineContext } from "../../batches/lines/answer-line";
import { systemChange, type Write } from "../../changes/change";
import type { ClockCheck } from "../../clock";
import type { StoreOptions } from "../gateway-options";
import { machineTimers } from "../machine-runtime";
import type { State } from "../memory/load-state";
import type { Stores } from "../open-stores";
import type { OpenFiles } from "./open-files";

/** The maximum delay before a new batch is noticed. */
const POLL_MS = 1_000;

/** Runs batches in the background, including those of an earlier process. `answerCall` makes the call of a line. */
export function openBatches(
  { runtime, logFault }: Pick<StoreOptions, "runtime" | "logFault">,
  {
    batches,
    batchClaims,
    idempotentCharges,
    owner,
    isAlone,
    ownsLease,
  }: Pick<Stores, "batches" | "batchClaims" | "idempotentCharges" | "owner" | "isAlone" | "ownsLease">,
  state: State,
  { steadyClock, ...files }: OpenFiles & { readonly steadyClock: ClockCheck },
  answerCall: AnswerLineContext["answerCall"],
) {
  const { changes, admissions, catalogue, rateLimitCache } = state;
  const write: Write = (work) => systemChange({ changes }, "batch", work);
  const claims = batchClaims(write, owner);
  const findCaller = (keyId: string) => findPresentCaller({ ...state, runtime }, keyId);
  const runner = new BatchRunner({
    ...files,
    storedFiles: files.inputFiles,
    answerCall,
    findCaller,
    claims,
    batches,
    idempotentCharges,
    ownsLease,
    isAlone,
    admissions,
    catalogue,
    rateLimitCache,
    runtime,
    timers: machineTimers,
    steadyClock,
    logFault,
  });
  // The folder is locked, so the claims of dead processes can be released at once.
  if (isAlone) claims.releaseOthers().catch((error: unknown) => logFault("batches", error));
  const timer = setInterval(() => void runner.work(), POLL_MS);
  timer.unref();
  return {
    findCaller,
    workOnBatches: () => void runner.work(),
    stopBatch: (id: string) => runner.cancel(id),
    describePace: (id: string) => runner.describePace(id),
    /** Live calls take precedence over lines of batches. */
    lineThrottle: runner.throttle,
    close() {
      clearInterval(timer);
      return runner.close();
    },
  };
}
