import { expect, test } from "bun:test";
import { QueryClient } from "@tanstack/react-query";
import { createProblem } from "@/lib/console/gateway/problem";
import { PendingReplies } from "./pending-reads";

const reply = (data: unknown) => JSON.stringify({ ok: true, data, requestId: null });

test("a reply that the page brings later is given once, whatever the order of its parameters", async () => {
  const replies = new PendingReplies([
    { queryKey: ["usage", { a: "1", b: "2" }], reply: Promise.resolve(reply(7)) },
    { queryKey: ["usage", { a: "2" }], reply: Promise.resolve(reply(8)) },
  ]);
  const key = ["usage", { b: "2", a: "1" }];
  const [first, second] = await Promise.all([replies.take(key), replies.take(key)]);
  expect(first).toMatchObject({ data: 7 });
  expect(second).toBeNull();
  expect(await replies.take(["usage", { a: "3" }])).toBeNull();
});

test("a read that failed, was cut off or was not needed at once is left to the browser", async () => {
  const refused = JSON.stringify({ ok: false, problem: createProblem("failed", "No.") });
  const replies = new PendingReplies([
    { queryKey: ["refused"], reply: Promise.resolve(refused) },
    { queryKey: ["failed"], reply: Promise.resolve(null) },
    { queryKey: ["cut"], reply: Promise.reject(new Error("Connection closed.")) },
    { queryKey: ["late"], reply: Promise.resolve(reply(1)) },
  ]);
  for (const name of ["refused", "failed", "cut"]) expect(await replies.take([name])).toBeNull();
  await replies.settle(new QueryClient());
  expect(await replies.take(["late"])).toBeNull();
});

test("late replies go to what asks first, and into the cache as they come for what asks later", async () => {
  const [asked, unasked] = [Promise.withResolvers<string>(), Promise.withResolvers<string>()];
  const cache = new QueryClient();
  cache.setQueryData(["unasked"], { ok: true, data: "older" });
  const replies = new PendingReplies(
    [],
    [
      { queryKey: ["asked"], reply: asked.promise },
      { queryKey: ["unasked"], reply: unasked.promise },
      { queryKey: ["failed"], reply: Promise.resolve(null) },
    ],
  );
  const settled = replies.settle(cache);
  const taken = replies.take(["asked"]);
  asked.resolve(reply(1));
  unasked.resolve(reply(2));
  await settled;
  expect(await taken).toMatchObject({ data: 1 });
  expect(cache.getQueryData(["asked"])).toBeUndefined();
  expect(cache.getQueryData(["unasked"])).toMatchObject({ data: 2 });
  expect(cache.getQueryData(["failed"])).toBeUndefined();
  for (const name of ["asked", "unasked", "failed"]) expect(await replies.take([name])).toBeNull();
});
