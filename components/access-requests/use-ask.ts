"use client";

import { useEffect, useRef, useState } from "react";
import { callAction } from "@/components/queries/actions/call-action";
import type { AccessRequest, AccessRequestDraft } from "@/lib/contract/operations/people/access-requests";
import { askForAccess, declineAccess, listOwnAccessRequests, readAccessRequest } from "./actions";
import { isAskedBy } from "./is-asked-by";

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
export function useAsk(draft: AccessRequestDraft) {
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
