"use client";

import { useQuery } from "@tanstack/react-query";
import { Check, Minus, X } from "lucide-react";
import { useId } from "react";
import { findCase } from "@/app/(console)/playground/variables/variables-panel";
import { listCallableModels } from "@/components/models/list-models";
import type { Message } from "@/components/playground/messages/message";
import type { Pane } from "@/components/playground/panes/pane";
import { listWorkbenchVariables } from "@/components/playground/variables/fill-workbench";
import type { Workbench } from "@/components/playground/workbench";
import { type Answered, checkAnswer, describeCheck } from "@/components/prompts/check-answer";
import { TextLink } from "@/components/ui/links/text-link";
import { countNouns } from "@/components/ui/values/group-digits";
import { paths } from "@/lib/console/paths";
import type { OrganizationModel } from "@/lib/contract/operations/models/models";
import type { PromptCheck } from "@/lib/contract/operations/playground/prompts";
import { CasesRun } from "./cases-run";
import type { OpenPrompt } from "./use-open-prompt";

type RailCasesProps = {
  workbench: Workbench;
  open: OpenPrompt;
  models: readonly OrganizationModel[] | null;
};

/**
 * The checks of the case that is filled in, and the cases of the open prompt, which are run with the models of the
 * panes.
 */
export function RailCases({ workbench, open: { prompt, isEdited }, models }: RailCasesProps) {
  const id = useId();
  const toCases = paths.prompt(prompt.project_id, prompt.id, { tab: "cases" });
  const filled = findCase(workbench, prompt.cases, listWorkbenchVariables(workbench));
  return (
    <>
      {filled !== null && <CaseChecks checks={prompt.cases[filled]?.checks ?? []} panes={workbench.panes} />}
      <section aria-labelledby={id} className="grid gap-2 border-t pt-4">
        <div className="flex items-baseline justify-between gap-3">
          <h2 id={id} className="text-sm font-medium">
            Cases
          </h2>
          <TextLink href={toCases} className="text-sm">
            {prompt.cases.length === 0 ? "Add cases" : countNouns(prompt.cases.length, "case")}
          </TextLink>
        </div>
        <p className="text-sm text-muted">
          <span className="wrap-anywhere">{prompt.name}</span>, version {prompt.latest_version}.{" "}
          {isEdited && "Your edits since then aren’t in it: save a version to run them."}
        </p>
        {prompt.cases.length > 0 && (
          <CasesRun
            key={prompt.id}
            prompt={prompt}
            runAs={workbench.runAs}
            models={listChatModels(workbench, models)}
          />
        )}
      </section>
    </>
  );
}

/** The models of the panes that answer cases, without duplicates. */
function listChatModels({ panes }: Workbench, models: readonly OrganizationModel[] | null): string[] {
  const callable = new Set(listCallableModels(models ?? []).map(({ id }) => id));
  return [...new Set(panes.map(({ model }) => model))].filter((model) => callable.has(model));
}

type CaseChecksProps = { checks: readonly PromptCheck[]; panes: readonly Pane[] };

/** The checks of the case that is filled in, with each pane's last answer. */
function CaseChecks({ checks, panes }: CaseChecksProps) {
  const id = useId();
  const answers = panes.map(findAnswer);
  const messageNumbers = panes.map((pane) => numberMessage(pane.messages.at(-1)));
  const checked = useQuery({
    queryKey: ["case-checks", checks, messageNumbers],
    queryFn: () => Promise.all(answers.map((answer) => answer && judge(checks, answer))),
    networkMode: "always",
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  }).data;
  if (checks.length === 0) return null;
  return (
    <section aria-labelledby={id} className="grid gap-1.5">
      <h2 id={id} className="text-sm font-medium">
        Checks
      </h2>
      <table className="w-full text-sm">
        <thead className="sr-only">
          <tr>
            <th>Check</th>
            {panes.map((pane, index) => (
              <th key={pane.id}>
                Pane {index + 1}: {pane.model}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {checks.map((check, row) => (
            <tr key={row}>
              <th scope="row" className="py-0.5 pr-2 text-left font-normal wrap-anywhere">
                {describeCheck(check)}
              </th>
              {panes.map((pane, column) => (
                <td key={pane.id} className="w-6 py-0.5 text-right align-top">
                  <Verdict fault={checked?.[column]?.[row]} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** `fault` is null if the check passed, and undefined without a whole answer or its figures. */
function Verdict({ fault }: { fault: string | null | undefined }) {
  const [Icon, color, label] =
    fault === undefined
      ? ([Minus, "text-muted", "Not known yet"] as const)
      : fault === null
        ? ([Check, "text-success", "Passed"] as const)
        : ([X, "text-danger", `Failed: ${fault}`] as const);
  return (
    <span title={label} className={`inline-grid size-5 place-items-center ${color}`}>
      <Icon aria-hidden className="size-4" />
      <span className="sr-only">{label}</span>
    </span>
  );
}

/** For each check null if it passed, the reason why it failed, or undefined if its figure isn't known. */
async function judge(
  checks: readonly PromptCheck[],
  answer: Answered,
): Promise<(string | null | undefined)[]> {
  const { amount, durationMs } = answer;
  const isOpen = ({ type }: PromptCheck) =>
    (type === "cost_below" && amount === null) || (type === "latency_below" && durationMs === null);
  const faults = await checkAnswer(checks, answer);
  return faults.map((fault, index) => (checks[index] && isOpen(checks[index]) ? undefined : fault));
}

const numbers = new WeakMap<Message, number>();
let count = 0;

/** Numbers each state of a message, so that long answers needn't be compared while others stream. */
function numberMessage(message: Message | undefined): number | null {
  if (message?.call?.state !== "finished") return null;
  const number = numbers.get(message) ?? ++count;
  numbers.set(message, number);
  return number;
}

/** A charge that isn't known yet follows, and the checks are done again. */
function findAnswer({ messages }: Pane): Answered | null {
  const last = messages.at(-1);
  if (last?.call?.state !== "finished") return null;
  const { charge, totalMs } = last.call;
  const durationMs = totalMs === null ? null : Math.round(totalMs);
  return { answer: last.text, amount: charge?.amount ?? null, durationMs };
}
