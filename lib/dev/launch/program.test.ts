import { expect, test } from "bun:test";
import { keepRunning, LaunchFault, type Program, RefusedStart } from "@/lib/dev/launch/program";

function setUp() {
  const said: string[] = [];
  const stop = new AbortController();
  let now = 0;
  let starts = 0;
  const program = (exit: Promise<string>): Program => ({
    name: "gateway",
    exit,
    showOutput() {},
    fault: (line) => new LaunchFault([line]),
    stop: async () => {},
  });
  const endedProgram = () => program(Promise.resolve("The gateway was ended by SIGKILL."));
  return {
    said,
    ended: endedProgram,
    program,
    starts: () => starts,
    run: (ready: (count: number) => { program: Program; ready: Promise<unknown> }) =>
      keepRunning(
        endedProgram(),
        () => {
          starts++;
          return ready(starts);
        },
        {
          signal: stop.signal,
          say: (line) => said.push(line),
          pause: async (ms) => void (now += ms),
          nowMs: () => now,
        },
      ),
    pass: (ms: number) => void (now += ms),
    stop: () => stop.abort(),
  };
}

test("starts a program again after growing pauses, and begins anew once it has run for a minute", async () => {
  const { run, said, ended, starts, pass, stop } = setUp();
  await run((count) => {
    if (count === 7) pass(60_000);
    if (count === 8) stop();
    return { program: ended(), ready: count < 3 ? Promise.reject(new LaunchFault([])) : Promise.resolve() };
  });
  expect(starts()).toBe(8);
  const pauses = said.flatMap((line) => /again in (\d+) s/.exec(line)?.[1] ?? []);
  expect(pauses).toEqual(["1", "2", "4", "8", "16", "30", "30", "1"]);
  expect(said[0]).toBe("The gateway was ended by SIGKILL. Starting it again in 1 s.");
  expect(said).toContain("The gateway answers again.");
});

test("does not loop over a program that refuses to start", async () => {
  const { run, ended, starts } = setUp();
  const refusedStart = new RefusedStart(["GATEHOUSE_SECRET is not 32 bytes."]);
  await expect(run(() => ({ program: ended(), ready: Promise.reject(refusedStart) }))).rejects.toBe(
    refusedStart,
  );
  expect(starts()).toBe(1);
});

test("starts nothing once everything is to stop", async () => {
  const { run, said, starts, stop, ended } = setUp();
  stop();
  await run(() => ({ program: ended(), ready: Promise.resolve() }));
  expect([starts(), said]).toEqual([0, []]);
});

test("stops a program that neither answers nor ends", async () => {
  const { run, program, starts, stop } = setUp();
  const hung = Promise.withResolvers<string>();
  await run(() => {
    const silent: Program = {
      ...program(hung.promise),
      stop: async () => {
        stop();
        hung.resolve("The gateway was ended by SIGTERM.");
      },
    };
    return { program: silent, ready: Promise.reject(new LaunchFault(["It did not answer."])) };
  });
  expect(starts()).toBe(1);
});
