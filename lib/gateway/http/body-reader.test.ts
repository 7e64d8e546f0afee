import { expect, test } from "bun:test";
import { simulatedRuntime } from "../simulation/simulated-runtime";
import { BodyReader, countBytes, joinPieces } from "./body-reader";

const KIB = 1024;
const MAX = 1024 * KIB;

function setUp(maxSlowPerAddress = 2) {
  const { clock, pass } = simulatedRuntime();
  const reader = new BodyReader({ clock, maxSlowPerAddress });
  /** A body that arrives as the test says. `announced` is its content length, if it has one. */
  const begin = (contentLength: number | null, address = "192.0.2.1") => {
    let pieces: ReadableStreamDefaultController<Uint8Array> | undefined;
    const body = new ReadableStream<Uint8Array>({ start: (controller) => void (pieces = controller) });
    const headers = new Headers(contentLength === null ? [] : [["content-length", String(contentLength)]]);
    const request = new Request("http://gateway.test/", { method: "POST", headers, body });
    const read = async () => reader.read({ request, address: () => address }, MAX);
    const outcome = read().then(
      (bodyPieces) => joinPieces(bodyPieces).byteLength,
      ({ status, code }: { status: number; code: string }) => [status, code],
    );
    const send = async (bytes: number) => {
      pieces?.enqueue(new Uint8Array(bytes));
      // One turn of the event loop lets the reader proceed.
      await new Promise(setImmediate);
    };
    return { outcome, send, end: () => pieces?.close(), breakOff: () => pieces?.error(new Error("gone")) };
  };
  const passSeconds = (seconds: number) => {
    for (let second = 0; second < seconds; second++) {
      pass(1_000);
      reader.sweep();
    }
  };
  return { begin, passSeconds };
}

test.each([
  ["short", 10],
  ["long", 100 * KIB],
  ["unannounced", null],
])(
  "a %s body that stalls is refused after ten seconds, and one that comes is read",
  async (_, contentLength) => {
    const { begin, passSeconds } = setUp();
    const [stalledBody, wholeBody] = [begin(contentLength), begin(contentLength)];
    await stalledBody.send(1);
    passSeconds(9);
    await wholeBody.send(contentLength ?? 5);
    wholeBody.end();
    expect(await wholeBody.outcome).toBe(contentLength ?? 5);
    passSeconds(2);
    expect(await stalledBody.outcome).toEqual([408, "body_too_slow"]);
  },
);

test("a trickle is refused, a slow line is not, and five minutes are the most", async () => {
  const { begin, passSeconds } = setUp();
  const [trickle, slow] = [begin(MAX), begin(MAX)];
  for (let second = 0; second < 20; second++) {
    if (second < 10) await trickle.send(1 * KIB);
    await slow.send(16 * KIB);
    passSeconds(1);
  }
  expect(await trickle.outcome).toEqual([408, "body_too_slow"]);
  slow.end();
  expect(await slow.outcome).toBe(320 * KIB);
  const long = begin(MAX);
  await long.send(MAX);
  passSeconds(301);
  expect(await long.outcome).toEqual([408, "body_too_slow"]);
});

test.each([
  ["announced", 60 * KIB],
  ["unannounced", null],
])(
  "a short %s body may take longer than ten seconds if enough of it has arrived",
  async (_, contentLength) => {
    const { begin, passSeconds } = setUp();
    const body = begin(contentLength);
    for (let second = 0; second < 12; second++) {
      await body.send(5 * KIB);
      passSeconds(1);
    }
    body.end();
    expect(await body.outcome).toBe(60 * KIB);
  },
);

test("a body in tiny pieces of large buffers holds little more memory than it is long", async () => {
  const { clock } = simulatedRuntime();
  const reader = new BodyReader({ clock, maxSlowPerAddress: 2 });
  let left = 1_000;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (left-- > 0) controller.enqueue(new Uint8Array(64 * KIB).subarray(0, KIB));
      else controller.close();
    },
  });
  const request = new Request("http://gateway.test/", { method: "POST", body });
  const pieces = await reader.read({ request, address: () => null }, MAX);
  expect(countBytes(pieces)).toBe(1_000 * KIB);
  const heldBytes = new Set(pieces.map(({ buffer }) => buffer));
  expect([...heldBytes].reduce((sum, { byteLength }) => sum + byteLength, 0)).toBeLessThan(1_500 * KIB);
});

test("an address has so many slow bodies at once; the latest are refused, and others' not", async () => {
  const { begin, passSeconds } = setUp(2);
  const bodies = [begin(10), begin(10), begin(10), begin(10, "192.0.2.2")];
  passSeconds(2);
  expect(await bodies[2]?.outcome).toEqual([429, "too_many_slow_requests"]);
  for (const index of [0, 1, 3]) {
    await bodies[index]?.send(10);
    bodies[index]?.end();
    expect(await bodies[index]?.outcome).toBe(10);
  }
});

test("refuses a body that is too large, announced or not, and blames the client for one that breaks off", async () => {
  const { begin } = setUp();
  expect(await begin(MAX + 1).outcome).toEqual([413, "request_too_large"]);
  const endless = begin(null);
  await endless.send(MAX + 1);
  expect(await endless.outcome).toEqual([413, "request_too_large"]);
  for (const contentLength of [10, 100 * KIB]) {
    const broken = begin(contentLength);
    await broken.send(1);
    broken.breakOff();
    expect(await broken.outcome).toEqual([400, "body_incomplete"]);
  }
});
