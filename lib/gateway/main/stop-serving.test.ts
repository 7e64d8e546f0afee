import { expect, test } from "bun:test";
import { respondWithJson } from "../http/response";
import { startServer } from "../http/server";
import { stopServing } from "./stop-serving";

const times = { drainSeconds: 5, stopSeconds: 60 };

/** A server with a call under way, and a clock that its test moves. */
async function begin() {
  const told: string[] = [];
  const arrived = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<Response>();
  const server = startServer({
    hostname: "127.0.0.1",
    port: 0,
    answer: async (request) => {
      if (!request.url.endsWith("/slow")) return respondWithJson({ status: "ok" });
      arrived.resolve();
      return answer.promise;
    },
    logFault: () => {},
  });
  const gateway = {
    drain: () => void told.push("drain"),
    endStreams: () => void told.push("end streams"),
    idle: async () => void told.push("idle"),
    close: async () => void told.push("close"),
  };
  const waits = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let waited = 0;
  const seconds: number[] = [];
  const wait = (ms: number) => {
    seconds.push(ms / 1000);
    return waits[waited++]?.promise ?? Promise.resolve();
  };
  const get = (path: string) => fetch(new URL(path, server.url)).then(({ status }) => status);
  const slow = get("/slow");
  slow.catch(() => {});
  await arrived.promise;
  const stopped = stopServing({ server, gateway }, times, { wait });
  return { told, get, slow, answer, seconds, endWait: (nth: number) => waits[nth]?.resolve(), stopped };
}

test("a gateway that is asked to stop still takes calls while load balancers notice, then ends those under way", async () => {
  const { told, get, slow, answer, endWait, seconds, stopped } = await begin();
  expect(told).toEqual(["drain"]);
  expect(await get("/new")).toBe(200);
  endWait(0);
  while (!told.includes("end streams")) await new Promise(setImmediate);
  await expect(get("/new")).rejects.toThrow();
  expect(told).not.toContain("close");
  answer.resolve(respondWithJson({ status: "ok" }));
  expect(await slow).toBe(200);
  await stopped;
  expect(told).toEqual(["drain", "end streams", "idle", "close"]);
  expect(seconds).toEqual([5, 60]);
});

test("a call that goes on at the limit is broken off, and the gateway closes", async () => {
  const { told, slow, endWait, stopped } = await begin();
  endWait(0);
  endWait(1);
  await stopped;
  await expect(slow).rejects.toThrow();
  expect(told).toEqual(["drain", "end streams", "idle", "close"]);
});
