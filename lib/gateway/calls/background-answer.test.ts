import { expect, test } from "bun:test";
import { KEEP_ANSWER_HEADER } from "@/lib/contract/operations/playground/conversations";
import type { Caller } from "../access/caller";
import { RequestContext } from "../http/server";
import { Refusal } from "../refusal";
import { answerInBackground } from "./answer-once";

const NAME = "conv_abcdefgh/answer-1";
const person = { kind: "user", keyId: "user_1", holdsAnywhere: () => true, permissionsIn: () => new Set() };

/** A store of answers in which the test reads what was begun, kept and refused. */
function setUp({
  caller = person,
  headers = {},
}: {
  caller?: object;
  headers?: Record<string, string>;
} = {}) {
  const begun: unknown[] = [];
  const refusals: { status: number; text: string }[] = [];
  const kept: Response[] = [];
  const stopping = new AbortController();
  const backgroundAnswers = {
    async begin(...names: unknown[]) {
      begun.push(names);
      return {
        signal: stopping.signal,
        store(reply: Response) {
          kept.push(reply);
          return reply;
        },
        recordRefusal: (status: number, text: string) => void refusals.push({ status, text }),
      };
    },
  };
  const request = new Request("http://gateway.test/v1/chat/completions", { headers });
  const requestContext = new RequestContext(
    request,
    "req_1",
    () => null,
    () => null,
  );
  const context = { backgroundAnswers } as never;
  return {
    begun,
    kept,
    refusals,
    requestContext,
    stopping,
    answerWith: (answer: () => Promise<Response>) =>
      answerInBackground(context, requestContext, caller as unknown as Caller, "openai", answer),
  };
}

const asKept = { [KEEP_ANSWER_HEADER]: NAME };
const hello = async () => new Response("hello");

test("a call without the header is answered, and nothing of it is kept", async () => {
  const { answerWith, begun, kept } = setUp();
  expect(await (await answerWith(hello)).text()).toBe("hello");
  expect([begun, kept]).toEqual([[], []]);
});

test("a call with the header is kept under its name, and ends when it is canceled instead of with its client", async () => {
  const { answerWith, begun, kept, requestContext, stopping } = setUp({ headers: asKept });
  expect(await (await answerWith(hello)).text()).toBe("hello");
  expect(begun).toEqual([[NAME, "user_1", "req_1"]]);
  expect(kept).toHaveLength(1);
  expect(requestContext.clientSignal).toBe(stopping.signal);
});

test.each([
  ["a project's key", { ...person, kind: "project_key" }],
  ["a person without the permission", { ...person, holdsAnywhere: () => false }],
])("%s can't keep an answer, and its call isn't made", async (_, caller) => {
  const { answerWith, begun } = setUp({ caller, headers: asKept });
  let isAnswered = false;
  const refusal = await answerWith(async () => {
    isAnswered = true;
    return new Response();
  }).catch((error: unknown) => error);
  expect(refusal).toMatchObject({ status: 403 });
  expect([isAnswered, begun]).toEqual([false, []]);
});

test("a refusal is kept as its client gets it, and a fault of the gateway without its details", async () => {
  const { answerWith, refusals } = setUp({ headers: asKept });
  const refusal = new Refusal(402, "insufficient_balance", "insufficient_balance", "Pay first");
  await expect(answerWith(() => Promise.reject(refusal))).rejects.toBe(refusal);
  await expect(answerWith(() => Promise.reject(new Error("secret path")))).rejects.toThrow("secret path");
  expect(refusals.map(({ status }) => status)).toEqual([402, 500]);
  expect(JSON.parse(refusals[0]?.text ?? "").error).toMatchObject({ code: "insufficient_balance" });
  expect(refusals[1]?.text).not.toContain("secret path");
});

test("a refusal is kept with the figures that its caller may see", async () => {
  const fuller = { projectId: null, permission: "api.balance.read" as const, message: "Pay 3.00 USD first" };
  const refusal = new Refusal(402, "insufficient_balance", "insufficient_balance", "Pay first", { fuller });
  const cashier = { ...person, permissionsIn: () => new Set(["api.balance.read"]) };
  const messages = [person, cashier].map(async (caller) => {
    const { answerWith, refusals } = setUp({ caller, headers: asKept });
    await expect(answerWith(() => Promise.reject(refusal))).rejects.toBe(refusal);
    return JSON.parse(refusals[0]?.text ?? "").error.message;
  });
  expect(await Promise.all(messages)).toEqual(["Pay first", "Pay 3.00 USD first"]);
});
