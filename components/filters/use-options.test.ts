import { expect, test } from "bun:test";
import { QueryClient } from "@tanstack/react-query";
import { awaitReads } from "./use-options";

/** A read that ends when it is told to. */
function beginRead(client: QueryClient, name: string) {
  const { promise, resolve } = Promise.withResolvers<string>();
  const read = client.fetchQuery({ queryKey: [name], queryFn: () => promise });
  return async () => {
    resolve(name);
    await read;
  };
}

/**
 * Timers end in the order in which they began, so this one ends after those of `awaitReads` and of the notifications.
 */
const nextTurn = () => new Promise((resolve) => setTimeout(resolve));

test("what comes after a screen's reads waits for the last of them, also for one that begins a moment later", async () => {
  const client = new QueryClient();
  let ended = 0;
  awaitReads(client, () => ended++);
  const endFirst = beginRead(client, "chart");
  await nextTurn();
  expect(ended).toBe(0);
  const endSecond = beginRead(client, "list");
  await endFirst();
  await nextTurn();
  expect(ended).toBe(0);
  await endSecond();
  await nextTurn();
  expect(ended).toBe(1);
  await beginRead(client, "again")();
  await nextTurn();
  expect(ended).toBe(1);
});

test("a screen that reads nothing, or whose read fails, keeps nothing waiting", async () => {
  const client = new QueryClient();
  let ended = 0;
  awaitReads(client, () => ended++);
  await nextTurn();
  expect(ended).toBe(1);
  const failing = client.fetchQuery({
    queryKey: ["fails"],
    queryFn: () => Promise.reject(new Error("no")),
    retry: false,
  });
  awaitReads(client, () => ended++);
  await failing.catch(() => {});
  await nextTurn();
  expect(ended).toBe(2);
});

test("nobody is called back who has left the screen", async () => {
  const client = new QueryClient();
  const endRead = beginRead(client, "chart");
  awaitReads(client, () => expect.unreachable())();
  await endRead();
  await nextTurn();
  expect(client.isFetching()).toBe(0);
});
