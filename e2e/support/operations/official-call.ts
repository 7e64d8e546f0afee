import { expect } from "bun:test";
import type OpenAI from "openai";

export type Organization = OpenAI["admin"]["organization"];

/** Methods of the official SDK by name: how to call each, and the expected reply. */
export type OfficialCalls = Readonly<Record<string, readonly [() => PromiseLike<unknown>, object]>>;

export interface Scene {
  readonly organization: Organization;
  readonly projectId: string;
  readonly userId: string;
  readonly groupId: string;
}

export const spending = { currency: "USD" as const, interval: "month" as const };
export const alert = {
  ...spending,
  threshold_amount: 500,
  notification_channel: { type: "email" as const, recipients: ["a@example.com"], subject_prefix: "Spend" },
};
export const limitShape = { currency: "USD", interval: "month", threshold_amount: 500_000, enforcement: {} };
export const gone = { id: expect.any(String), deleted: true };
export const id = expect.any(String);
export const at = expect.any(Number);
export const expectListWith = (item: object) => ({
  data: expect.arrayContaining([expect.objectContaining(item)]),
  has_more: expect.any(Boolean),
});

/** Remembers the ids of created objects for later calls. */
export function rememberCreated() {
  const ids = new Map<string, string>();
  return {
    keep: async <Reply extends { id: string }>(noun: string, call: PromiseLike<Reply>) => {
      const reply = await call;
      ids.set(noun, reply.id);
      return reply;
    },
    made: (noun: string) => ids.get(noun) ?? `no ${noun}`,
  };
}
