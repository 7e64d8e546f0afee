"use client";

import { Check, CircleX } from "lucide-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { callAction } from "@/components/queries/actions/call-action";
import { Button } from "@/components/ui/button";
import { DateTime } from "@/components/ui/time/date-time";
import type { AccessRequest, AccessRequestDraft } from "@/lib/contract/operations/people/access-requests";
import { askForAccess, declineAccess, listOwnAccessRequests, readAccessRequest } from "./actions";

type AskButtonProps = {
  draft: AccessRequestDraft;
  /** "Ask for 10 requests per minute". */
  label: string;
  /** Who answers: "someone who can set this project’s limits". */
  answeredBy: string;
  /** Does what was refused once more; undefined where that can't be done here. */
  tryAgain: (() => void) | undefined;
};

/** Asks for more in one click, says that it waits and what was answered, and then offers to try again. */
export function AskButton({ draft, label, answeredBy, tryAgain }: AskButtonProps) {
  const { state, problem, request, ask, withdraw } = useAsk(draft);
  const isWaiting = state === "asked" || state === "before";
  return (
    <span className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">
      <span role="status" className="contents">
        {isWaiting && (
          <Told icon={<Check aria-hidden className="mt-0.5 size-4 shrink-0 text-success" />}>
            {state === "before" ? "You have asked for this already." : "Asked."} It is waiting for{" "}
            {answeredBy}.
          </Told>
        )}
        {request && (state === "approved" || state === "declined") && <Answer request={request} />}
      </span>
      {state === "approved" && tryAgain && (
        <Button variant="primary" onClick={tryAgain}>
          Try again now
        </Button>
      )}
      {(state === "idle" || state === "pending" || state === "withdrawn") && (
        <Button variant="primary" pending={state === "pending"} onClick={() => void ask()}>
          {label}
        </Button>
      )}
      {isWaiting && request !== null && (
        <Button size="small" onClick={() => void withdraw()}>
          Withdraw
        </Button>
      )}
      {problem !== null && state !== "before" && (
        <span role="alert" className="text-sm text-danger">
          {problem}
        </span>
      )}
    </span>
  );
}

function Answer({ request: { status, decided_by, decline_reason, ends_at } }: { request: AccessRequest }) {
  const by = decided_by ? ` by ${decided_by.name}` : "";
  return status === "approved" ? (
    <Told icon={<Check aria-hidden className="mt-0.5 size-4 shrink-0 text-success" />}>
      Allowed{by}
      {ends_at !== null && (
        <>
          , until <DateTime at={ends_at} />
        </>
      )}
      .
    </Told>
  ) : (
    <Told icon={<CircleX aria-hidden className="mt-0.5 size-4 shrink-0 text-danger" />}>
      Declined{by}
      {decline_reason ? `: “${decline_reason}”` : "."}
    </Told>
  );
}

function Told({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <span className="flex items-start gap-1.5 text-sm">
      {icon}
      <span>{children}</span>
    </span>
  );
}

type Asked = {
  /** `before`: it had been asked for already. */
  state: "idle" | "pending" | "asked" | "before" | "withdrawn" | "approved" | "declined";
  problem: string | null;
  /** The request; null where it isn't known. */
  request: AccessRequest | null;
};

const idle: Asked = { state: "idle", problem: null, request: null };
const POLL_MS = 5_000;

/**
 * Asks for something in one click, takes it back, and follows what becomes of it. Needs no query client, which a
 * refused screen has not.
 */
function useAsk(draft: AccessRequestDraft) {
  const [asked, setAsked] = useState(idle);
  const isUnderWay = useRef(false);
  const run = async (action: () => Promise<Asked>) => {
    if (isUnderWay.current) return;
    isUnderWay.current = true;
    setAsked((before) => ({ ...before, state: "pending", problem: null }));
    setAsked(await action());
    isUnderWay.current = false;
  };
  const { state, request } = asked;
  const followedId = state === "asked" || state === "before" ? request?.id : undefined;
  useEffect(() => {
    if (followedId === undefined) return;
    const follow = async () => {
      if (document.visibilityState === "hidden" || isUnderWay.current) return;
      const reply = await callAction(() => readAccessRequest({ id: followedId }), "none");
      if (!reply.ok || reply.data.status === "pending") return;
      const { status } = reply.data;
      setAsked((before) =>
        before.request?.id === followedId ? { ...before, state: status, request: reply.data } : before,
      );
    };
    const timer = setInterval(() => void follow(), POLL_MS);
    return () => clearInterval(timer);
  }, [followedId]);
  return {
    ...asked,
    ask: () =>
      run(async () => {
        const reply = await callAction(() => askForAccess(draft), "change");
        if (reply.ok) return { state: "asked", problem: null, request: reply.data };
        // A permission that is held by now is in conflict too, and has no request.
        const before = reply.errorCode === "already_exists" ? await findBefore(draft) : null;
        return { state: before ? "before" : "idle", problem: reply.message, request: before };
      }),
    withdraw: () =>
      run(async () => {
        if (request === null) return asked;
        const reply = await callAction(() => declineAccess({ id: request.id }), "change");
        return reply.ok ? { ...idle, state: "withdrawn" } : { ...asked, problem: reply.message };
      }),
  };
}

/** The request of the person that waits for the same; null if there is none. */
async function findBefore(draft: AccessRequestDraft): Promise<AccessRequest | null> {
  const reply = await callAction(() => listOwnAccessRequests({}), "none");
  return (reply.ok && reply.data.data.find((one) => isAskedBy(draft, one))) || null;
}

type WhatIsAsked = Pick<AccessRequest, "kind" | "project_id" | "model" | "limits" | "permission">;

/** Whether a request asks for what a draft asks for. A permission of the organization has no project. */
export function isAskedBy(draft: AccessRequestDraft, asked: WhatIsAsked): boolean {
  if (draft.permission !== undefined)
    return (
      asked.permission === draft.permission &&
      (asked.project_id === null || asked.project_id === draft.project_id)
    );
  // What is asked for of a spend limit may be hidden from its asker, and one of them waits at a time.
  if (draft.spend_limit !== undefined)
    return asked.kind === "spend_limit" && asked.project_id === (draft.project_id ?? null);
  const names = Object.keys(draft.limits ?? {}) as (keyof NonNullable<WhatIsAsked["limits"]>)[];
  return (
    asked.kind === (draft.limits ? "rate_limits" : "model") &&
    asked.model === draft.model &&
    asked.project_id === draft.project_id &&
    names.length === Object.keys(asked.limits ?? {}).length &&
    names.every((name) => asked.limits?.[name] === draft.limits?.[name])
  );
}
