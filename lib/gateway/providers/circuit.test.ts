import { beforeEach, describe, expect, test } from "bun:test";
import { simulatedRuntime } from "../simulation/simulated-runtime";
import { Circuits } from "./circuit";
import {
  afterStreamBegan,
  providerAnsweredOddly,
  providerFailed,
  providerTooSlow,
  readReplyRefusal,
} from "./provider-failure";

const MODEL = "m";
const failure = providerFailed("It hung up");
const buildReply = (status: number) => readReplyRefusal({ status, header: () => null }, "", 0);

let runtime: ReturnType<typeof simulatedRuntime>;
let circuits: Circuits;

beforeEach(() => {
  runtime = simulatedRuntime();
  circuits = new Circuits({ failures: 3, pauseMs: 15_000 }, runtime.clock);
});

function fail(times: number, reason: unknown = failure) {
  for (let call = 0; call < times; call++) circuits.noteFailure(MODEL, reason, null);
}

const refuses = () => circuits.refusing(MODEL) !== null;

/** The next call, which has to be let through. */
function begin() {
  expect(refuses()).toBe(false);
  return circuits.begin(MODEL);
}

/** How long it refuses from now on, in seconds. */
function refusedForSeconds(): number {
  let seconds = 0;
  while (refuses()) {
    runtime.pass(1_000);
    seconds++;
  }
  return seconds;
}

describe("a circuit opens", () => {
  test("at the configured number of failures in a row, for this model only", () => {
    fail(2);
    expect(refuses()).toBe(false);
    fail(1);
    expect(circuits.refusing(MODEL)).toMatchObject({ model: MODEL, failures: 3, threshold: 3 });
    expect(circuits.refusing("another")).toBeNull();
  });

  test("by a lost connection, a timeout and a status of 500 alike", () => {
    fail(1, providerTooSlow("slow", "no_first_byte"));
    fail(1, buildReply(500));
    fail(1);
    expect(refuses()).toBe(true);
  });

  test.each([400, 401, 404, 413, 422, 429])("never by a status of %i", (status) => {
    fail(10, buildReply(status));
    expect(refuses()).toBe(false);
    expect(circuits.isQuiet).toBe(true);
  });

  test("never by odd answers, of which one caller may get many", () => {
    fail(10, providerAnsweredOddly("It is no JSON"));
    fail(10, afterStreamBegan(providerAnsweredOddly("It is no JSON"), true));
    expect(circuits.isQuiet).toBe(true);
  });

  test("only if no call succeeded in between", () => {
    fail(2);
    circuits.noteSuccess(MODEL, null);
    expect(circuits.isQuiet).toBe(true);
    fail(2);
    expect(refuses()).toBe(false);
  });

  test("not by failures further apart than half a minute", () => {
    for (let call = 0; call < 10; call++) {
      fail(1);
      runtime.pass(15_001);
    }
    expect(refuses()).toBe(false);
  });

  test("only if breakers are on", () => {
    circuits = new Circuits(null, runtime.clock);
    fail(100);
    expect(refuses()).toBe(false);
  });
});

describe("an open circuit", () => {
  beforeEach(() => fail(3));

  test("allows one call at a time after its pause, and closes with the first success", () => {
    expect(refusedForSeconds()).toBe(15);
    const trial = begin();
    expect(circuits.list()).toMatchObject([{ isTrying: true }]);
    expect(refuses()).toBe(true);
    circuits.noteSuccess(MODEL, trial);
    expect(circuits.list()).toEqual([]);
    expect(circuits.isQuiet).toBe(true);
  });

  test("waits twice as long after each trial that fails, up to two minutes, and as long as at first once it has closed", () => {
    const pauses = [refusedForSeconds()];
    for (let trials = 0; trials < 5; trials++) {
      circuits.noteFailure(MODEL, failure, begin());
      pauses.push(refusedForSeconds());
    }
    expect(pauses).toEqual([15, 30, 60, 120, 120, 120]);
    circuits.noteSuccess(MODEL, begin());
    fail(3);
    expect(refusedForSeconds()).toBe(15);
  });

  test("ignores the results of calls that began before it opened", () => {
    circuits.noteSuccess(MODEL, null);
    expect(refuses()).toBe(true);
    runtime.pass(14_000);
    fail(5);
    expect(refusedForSeconds()).toBe(1);
  });

  test("tries the next call if a trial ended without a result, such as when its client left", () => {
    refusedForSeconds();
    const trial = begin();
    trial?.end();
    expect(circuits.list()).toMatchObject([{ isTrying: false }]);
    const next = begin();
    circuits.noteFailure(MODEL, failure, trial);
    expect(circuits.list()).toMatchObject([{ isTrying: true, failures: 3 }]);
    circuits.noteSuccess(MODEL, next);
    expect(refuses()).toBe(false);
  });

  test("allows other calls once a trial's stream begins, and opens for longer if the stream breaks", () => {
    refusedForSeconds();
    const trial = begin();
    if (!trial) throw new Error("It was no trial");
    circuits.noteStreamBegan(MODEL, trial);
    expect(circuits.begin(MODEL)).toBeNull();
    circuits.noteFailure(MODEL, failure, trial);
    expect(refusedForSeconds()).toBe(30);
  });

  test("preserves its start time and last cause while trials fail", () => {
    const [before] = circuits.list();
    refusedForSeconds();
    const slow = providerTooSlow("slow", "no_first_byte");
    circuits.noteFailure(MODEL, slow, begin());
    expect(circuits.list()).toMatchObject([{ sinceMs: before?.sinceMs, lastFailure: slow, failures: 4 }]);
  });

  test("is closed by hand at once", () => {
    circuits.close(MODEL);
    expect(refuses()).toBe(false);
    expect(circuits.isQuiet).toBe(true);
  });
});
