"use client";

import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { countNouns } from "@/components/ui/values/group-digits";
import { Progress } from "@/components/ui/values/progress";
import { RoundedUpMoney } from "@/components/ui/values/rounded-up-money";
import { MAX_CELLS } from "@/lib/contract/bounds";
import { parseCheckedAmount } from "@/lib/money/amount";
import type { Estimate } from "./use-estimate";
import type { PromptRunning, RunProgress } from "./use-run";

/** Why a run ended early, and what of it could not be saved or read. */
export function RunProblems({ running }: { running: PromptRunning }) {
  const { unsaved, uncharged, isBrokenOff, saveAgain } = running;
  return (
    <>
      {isBrokenOff && (
        <Notice tone="bad" role="alert" title="The run broke off">
          An error on this page ended the run.{" "}
          {unsaved ? "Save its results first. Then reload" : "The results so far are saved. Reload"} the page
          and run the cases again.
        </Notice>
      )}
      {unsaved && (
        <Notice
          tone="bad"
          role="alert"
          title={`${countNouns(unsaved.results.length, "result")} could not be saved`}
          actions={
            <Button size="small" onClick={saveAgain}>
              Save again
            </Button>
          }
        >
          {unsaved.problem.code === "unauthenticated"
            ? "Your session has ended. Sign in in another tab, then save again here."
            : unsaved.problem.message}{" "}
          Leaving this page loses them.
        </Notice>
      )}
      {uncharged !== null && (
        <Notice tone="near" role="alert" title="Some costs could not be read">
          {uncharged}
        </Notice>
      )}
    </>
  );
}

type RunCostProps = {
  /** The number of calls, as a sentence. */
  calls: string;
  isTooMany: boolean;
  estimate: Estimate | null;
  isPending: boolean;
};

/** A run's expected cost, and the calls that would be refused now. */
export function RunCost({ calls, isTooMany, estimate, isPending }: RunCostProps) {
  return (
    <>
      <p className="text-sm text-muted" role="status">
        {calls} {isTooMany && `A run has at most ${MAX_CELLS}: choose fewer models or versions.`}
        {estimate && (
          <>
            Expected cost{" "}
            <RoundedUpMoney
              amount={parseCheckedAmount(estimate.expected)}
              currency={estimate.currency}
              isEstimate
            />
            , at most{" "}
            <RoundedUpMoney amount={parseCheckedAmount(estimate.most)} currency={estimate.currency} />.
          </>
        )}
        {isPending && !estimate && "Estimating the cost…"}
      </p>
      {estimate?.refused && (
        <Notice tone="near" title={`${countNouns(estimate.refused.count, "call")} would be refused now`}>
          {estimate.refused.reason}
        </Notice>
      )}
    </>
  );
}

type RunUnderWayProps = {
  running: PromptRunning;
  progress: RunProgress;
  /** What the person leaves when the run stops: `this prompt`. */
  pageName: string;
};

/** The progress of a run, with its end. */
export function RunUnderWay({ running, progress, pageName }: RunUnderWayProps) {
  return (
    <div className="grid max-w-md gap-2">
      <Progress label="Running" done={progress.done} total={progress.total} unit="calls" />
      <div className="flex flex-wrap items-center gap-3">
        <Button onClick={running.stop}>Stop</Button>
        <span className="text-sm text-muted">
          Leaving {pageName} stops the run.{!running.unsaved && " Results so far are saved."}
        </span>
      </div>
    </div>
  );
}
