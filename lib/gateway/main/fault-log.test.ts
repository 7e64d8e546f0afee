import { expect, test } from "bun:test";
import { MINUTE_MS } from "@/lib/contract/durations";
import { simulatedRuntime } from "../simulation/simulated-runtime";
import { FaultLog } from "./fault-log";

function openLog() {
  const { clock, pass } = simulatedRuntime();
  const lines: string[] = [];
  return { log: new FaultLog(clock, (line) => lines.push(line)), lines, pass };
}

test("a flood of faults of one origin is counted, and hides no fault of another", () => {
  const { log, lines, pass } = openLog();
  for (let n = 0; n < 1_000; n++) log.log(`req_${n}abc`, "out of luck");
  log.log("funds", "the store is away");
  expect(lines).toHaveLength(22);
  expect(lines.at(0)).toBe("[req_0abc] 'out of luck'");
  expect(lines.slice(-2)).toEqual([
    "[req] Further lines are counted only, for a minute.",
    "[funds] 'the store is away'",
  ]);
  pass(MINUTE_MS);
  log.log("req_last", "out of luck");
  expect(lines.slice(22)).toEqual(["[req] 980 more lines were not written.", "[req_last] 'out of luck'"]);
});

test("a fault is written with its cause, and no longer than a page", () => {
  const { log, lines } = openLog();
  log.log("mail", new Error("not sent", { cause: new Error("no connection") }));
  log.log("mail", new Error("x".repeat(1_000_000)));
  expect(lines[0]).toContain("no connection");
  expect(lines[1]?.length).toBeLessThan(10_000);
});
