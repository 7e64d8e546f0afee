"use client";

import { useRef, useState } from "react";
import { callAction } from "@/components/queries/actions/call-action";
import type { AccessRequestDraft } from "@/lib/contract/operations/people/access-requests";
import { askForAccess, declineAccess } from "./actions";

type Asked = {
  /** `before`: it had been asked for already. */
  state: "idle" | "pending" | "asked" | "before" | "withdrawn";
  problem: string | null;
  id: string | null;
};

const idle: Asked = { state: "idle", problem: null, id: null };

/** Asks for something in one click, and takes it back. Needs no query client, which a refused screen has not. */
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
  return {
    ...asked,
    ask: () =>
      run(async () => {
        const reply = await callAction(() => askForAccess(draft), "change");
        if (reply.ok) return { state: "asked", problem: null, id: reply.data.id };
        if (reply.errorCode === "already_exists") return { ...idle, state: "before", problem: reply.message };
        return { ...idle, problem: reply.message };
      }),
    withdraw: () =>
      run(async () => {
        const { id } = asked;
        if (id === null) return asked;
        const reply = await callAction(() => declineAccess({ id }), "change");
        return reply.ok ? { ...idle, state: "withdrawn" } : { ...asked, problem: reply.message };
      }),
  };
}
