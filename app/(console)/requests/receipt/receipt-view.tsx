"use client";

import type { ReactNode } from "react";
import { ChargeArithmetic } from "@/components/money/charge-arithmetic";
import { CheckList } from "@/components/requests/check-list";
import { classNames } from "@/components/ui/class-names";
import { Fact, Facts, Part } from "@/components/ui/facts";
import { TextLink } from "@/components/ui/links/text-link";
import { IdChip } from "@/components/ui/text/id-chip";
import { RelativeTime } from "@/components/ui/time/shown-time";
import { AlignedMoney } from "@/components/ui/values/aligned-money";
import { describeDuration } from "@/components/ui/values/describe-latency";
import { formatCount } from "@/components/ui/values/group-digits";
import { Money } from "@/components/ui/values/money";
import { paths } from "@/lib/console/paths";
import type { RequestClient } from "@/lib/contract/operations/calls/receipt-parts";
import type { RequestReceipt } from "@/lib/contract/operations/calls/requests";
import { BodyPart } from "../call-body/body-part";
import { LimitUsers } from "../limit-usage/limit-users";
import { buildWaterfall, type Step, type StepGroup } from "./waterfall-steps";

/** The details of a call: what was checked, its cost, its duration and its caller. */
export function ReceiptView({ receipt, isOwnOnly }: { receipt: RequestReceipt; isOwnOnly: boolean }) {
  return (
    <div className="@container">
      <div className="grid items-start gap-x-12 gap-y-6 @3xl:grid-cols-2">
        <div className="grid gap-6">
          <Part title="Checks, in order">
            <CheckList
              checks={receipt.checks}
              keyName={receipt.request.key_name}
              currency={receipt.request.currency}
            />
          </Part>
          {!isOwnOnly && <LimitUsers receipt={receipt} />}
          <Part title="Time">
            <CallTimes receipt={receipt} />
          </Part>
          <BodyPart receipt={receipt} />
        </div>
        <div className="grid gap-6">
          <Part title="Cost" unit={receipt.hold?.currency}>
            <HoldArithmetic receipt={receipt} />
          </Part>
          <Part title="Call">
            <CallFacts receipt={receipt} />
          </Part>
          {receipt.client && (
            <Part title="Client">
              <ClientFacts client={receipt.client} />
            </Part>
          )}
        </div>
      </div>
    </div>
  );
}

function CallFacts({ receipt: { request, task_id, key, settings } }: { receipt: RequestReceipt }) {
  return (
    <Facts>
      <Fact name="Request">
        <IdChip id={request.id} what="request id" />
      </Fact>
      {task_id !== null && (
        <Fact name="Task">
          <TextLink href={paths.task(task_id)}>View result</TextLink>
        </Fact>
      )}
      <Fact name="When">
        <RelativeTime at={request.created_at} withExact />
      </Fact>
      <Fact name={key?.kind === "user" ? "Member" : "Key"}>
        {key ? <Key {...key} /> : <IdChip id={request.key_id} what="key id" />}
        <TextLink className="block w-fit" href={paths.requests({ api_key_id: request.key_id, range: "7d" })}>
          View calls
        </TextLink>
      </Fact>
      <Fact name="Project">
        {request.project_name ?? <IdChip id={request.project_id} what="project id" />}
      </Fact>
      <Fact name="Model">
        <code className="font-mono text-sm wrap-anywhere">{request.model}</code>
      </Fact>
      {request.provider !== null && (
        <Fact name="Provider">
          <code className="font-mono text-sm wrap-anywhere">{request.provider}</code>
        </Fact>
      )}
      {request.batch_id !== null && (
        <Fact name="Batch">
          <IdChip id={request.batch_id} what="batch id" />
          <TextLink className="block w-fit" href={paths.batch(request.batch_id)}>
            View batch
          </TextLink>
        </Fact>
      )}
      {settings?.prompt && <PromptFact {...settings.prompt} project={request.project_id} />}
      {settings && (
        <Fact name="Requested">
          {settings.max_tokens === null
            ? "the model’s default output"
            : `at most ${formatCount(settings.max_tokens)} output tokens`}
          {settings.temperature !== null && `, temperature ${settings.temperature}`}
        </Fact>
      )}
      {settings?.left_out && (
        <Fact name="Left out">
          {settings.left_out.join(", ")}: the model can’t be told, and its answer came without.
        </Fact>
      )}
      {settings !== null && settings.lowered_to !== null && (
        <Fact name="Limited to">
          {formatCount(settings.lowered_to)} output tokens:{" "}
          {settings.lowered_by === "model" ? "the model writes no more" : "the balance covers no more"}
        </Fact>
      )}
      <Fact name="Stream">
        {request.stream === null ? "Not known before it ends" : request.stream ? "Yes" : "No"}
      </Fact>
    </Facts>
  );
}

function PromptFact({ id, number, project }: { id: string; number: number; project: string }) {
  return (
    <Fact name="Prompt">
      <IdChip id={id} what="prompt id" />
      <TextLink className="block w-fit" href={paths.prompt(project, id)}>
        Version {number}
      </TextLink>
    </Fact>
  );
}

const kinds = {
  project_api_key: "project key",
  service_account_key: "key of a service account",
  admin_api_key: "admin key",
  user: "in the console",
} as const;

function Key({ name, kind, last_four, owner, is_active }: NonNullable<RequestReceipt["key"]>) {
  return (
    <span className="wrap-anywhere">
      {name}
      <span className="text-muted">
        {last_four && ` · …${last_four}`} · {kinds[kind]}
        {owner && ` · ${owner}`}
        {!is_active && (kind === "user" ? " · removed since" : " · deleted since")}
      </span>
    </span>
  );
}

/** What a call's headers say about its client. */
function ClientFacts({ client }: { client: RequestClient }) {
  const { user_agent, client_request_id, retry_count, content_length, idempotency_key_hash, run_by } = client;
  return (
    <Facts>
      <Fact name="Endpoint">
        <code className="font-mono text-sm">POST /v1/{client.endpoint}</code>
      </Fact>
      <Fact name="Sent by">
        <span className="wrap-anywhere">{user_agent ?? "It did not say"}</span>
        {retry_count !== null && retry_count > 0 && (
          <span className="text-muted"> · its retry number {retry_count}</span>
        )}
      </Fact>
      {run_by && <Fact name="Run as this key by">{run_by.name}</Fact>}
      {client_request_id !== null && (
        <Fact name="Client request ID">
          <code className="font-mono text-sm wrap-anywhere">{client_request_id}</code>
        </Fact>
      )}
      {content_length !== null && <Fact name="Length">{formatCount(content_length)} bytes</Fact>}
      <Fact name="Idempotency key">
        {idempotency_key_hash === null ? (
          "None"
        ) : (
          <>
            SHA-256 <code className="font-mono text-sm">{idempotency_key_hash}…</code>
          </>
        )}
      </Fact>
    </Facts>
  );
}

/** Shows a call's hold, the charge and its arithmetic, and the amount released. */
function HoldArithmetic({ receipt: { hold, entries, request } }: { receipt: RequestReceipt }) {
  if (!hold) return <p className="text-muted">Nothing was reserved or charged.</p>;
  const charge = entries.find(({ kind }) => kind === "charge");
  const column = [hold.amount, request.amount, hold.released].filter((amount) => amount !== null);
  return (
    <div className="grid gap-3">
      <dl className="grid grid-cols-[1fr_auto] gap-y-2">
        <Line name="Held, the maximum cost" amount={<AlignedMoney amount={hold.amount} column={column} />} />
        {request.amount !== null && (
          <Line name="Charged" amount={<AlignedMoney amount={`-${request.amount}`} column={column} />} />
        )}
        <Line
          isResult
          name="Released"
          amount={
            hold.released === null ? (
              <span className="text-muted">when it ends</span>
            ) : (
              <AlignedMoney amount={hold.released} column={column} />
            )
          }
        />
      </dl>
      {charge && <ChargeArithmetic entry={charge} above={column} />}
      {entries.map(({ id, kind, amount, currency }) => (
        <p key={id} className="flex flex-wrap justify-between gap-x-4 text-sm">
          <span className="text-muted">
            {kind === "charge" ? "Ledger entry" : "Reported cost above the hold, not charged"}
          </span>
          <TextLink href={paths.ledgerEntry(id)}>
            <Money amount={amount} currency={currency} />
          </TextLink>
        </p>
      ))}
    </div>
  );
}

function Line({ name, amount, isResult = false }: { name: string; amount: ReactNode; isResult?: boolean }) {
  return (
    <>
      <dt className={isResult ? "border-t pt-2 font-medium" : "text-muted"}>{name}</dt>
      <dd className={isResult ? "border-t pt-2 text-right font-medium" : "text-right"}>{amount}</dd>
    </>
  );
}

/**
 * Shows where a call's time went, by attempt, on one scale. A table with bars that are hidden from assistive
 * technology.
 */
function CallTimes({ receipt }: { receipt: RequestReceipt }) {
  const { duration_ms: total, outcome } = receipt.request;
  if (outcome === "refused") {
    return <p className="text-muted">Refused immediately: no provider was called and nothing was held.</p>;
  }
  const groups = buildWaterfall(receipt);
  if (total === null || groups === null) return <p className="text-muted">It has not ended yet.</p>;
  return (
    <table className="w-full border-separate border-spacing-y-0.5 text-sm" aria-label="Where its time went">
      <thead className="sr-only">
        <tr>
          <th scope="col">Step</th>
          <th scope="col">Bar</th>
          <th scope="col">Begins after</th>
          <th scope="col">Takes</th>
        </tr>
      </thead>
      {groups.map((group, index) => (
        <Group key={group.name ?? index} group={group} total={total} />
      ))}
      <tbody>
        <tr className="font-medium">
          <th scope="row" colSpan={3} className="pt-1 text-left font-medium">
            Total
          </th>
          <td className="pt-1 text-right whitespace-nowrap">{describeDuration(total)}</td>
        </tr>
      </tbody>
    </table>
  );
}

function Group({
  group: { name, outcome, providerRequestId, steps },
  total,
}: {
  group: StepGroup;
  total: number;
}) {
  return (
    <tbody>
      {name !== null && (
        <tr>
          <th scope="rowgroup" colSpan={4} className="pt-2 pb-0.5 text-left font-normal">
            <span className="font-mono wrap-anywhere">{name}</span>{" "}
            <span className="text-muted">{outcome}</span>
            {providerRequestId !== null && (
              <span className="block text-muted">
                its id <span className="font-mono wrap-anywhere">{providerRequestId}</span>
              </span>
            )}
          </th>
        </tr>
      )}
      {steps.map((step) => (
        <StepRow key={step.name} step={step} total={total} />
      ))}
    </tbody>
  );
}

const looks: Record<Step["tone"], string> = {
  waiting: "bg-chart-rest",
  answering: "bg-accent",
  failed: "bg-danger",
};

function StepRow({ step: { name, from, to, tone }, total }: { step: Step; total: number }) {
  const share = (ms: number) => `${total === 0 ? 0 : (Math.min(ms, total) / total) * 100}%`;
  return (
    <tr>
      <th scope="row" className="w-px pr-3 text-left font-normal whitespace-nowrap text-muted">
        {name}
      </th>
      <td aria-hidden className="min-w-12">
        <span className="relative block h-2.5 rounded-[2px] bg-default-soft">
          <span
            className={classNames(
              "absolute inset-y-0 min-w-0.5 rounded-[2px] forced-color-adjust-none",
              looks[tone],
            )}
            style={{ left: share(from), width: share(Math.max(0, to - from)) }}
          />
        </span>
      </td>
      <td className="w-px pl-3 text-right whitespace-nowrap text-muted">
        <span className="sr-only">{describeDuration(from)}</span>
      </td>
      <td className="w-px text-right whitespace-nowrap">{describeDuration(Math.max(0, to - from))}</td>
    </tr>
  );
}
