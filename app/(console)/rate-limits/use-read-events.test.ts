import { afterEach, beforeEach, expect, jest, test } from "bun:test";
import { followReadEvents } from "./use-read-events";

class FakeEventSource {
  static readonly CLOSED = 2;
  static readonly opened: FakeEventSource[] = [];
  readyState = 0;
  onmessage: ((event: { data: string }) => void) | null = null;
  onerror: (() => void) | null = null;

  constructor(readonly url: string) {
    FakeEventSource.opened.push(this);
  }

  close(): void {
    this.readyState = FakeEventSource.CLOSED;
  }

  /** Ends as after a reply that is no event stream. */
  refuse(): void {
    this.readyState = FakeEventSource.CLOSED;
    this.onerror?.();
  }
}

const { EventSource: realEventSource, document: realDocument } = globalThis;

beforeEach(() => {
  jest.useFakeTimers();
  FakeEventSource.opened.length = 0;
  const fakeDocument = { hidden: false, addEventListener: () => {}, removeEventListener: () => {} };
  Object.assign(globalThis, { EventSource: FakeEventSource, document: fakeDocument });
});
afterEach(() => {
  jest.useRealTimers();
  Object.assign(globalThis, { EventSource: realEventSource, document: realDocument });
});

test("a stream that is refused is opened again after growing pauses, until it is left", () => {
  const told: unknown[] = [];
  const leave = followReadEvents("/api/limit-usage", { current: (data: unknown) => told.push(data) });
  const { opened } = FakeEventSource;
  opened[0]?.refuse();
  jest.advanceTimersByTime(2_000);
  expect(opened).toHaveLength(2);
  opened[1]?.refuse();
  jest.advanceTimersByTime(2_000);
  expect(opened).toHaveLength(2);
  jest.advanceTimersByTime(2_000);
  expect(opened).toHaveLength(3);
  opened[2]?.onmessage?.({ data: '{"used":3}' });
  expect(told).toEqual([{ used: 3 }]);
  opened[2]?.refuse();
  leave();
  jest.advanceTimersByTime(120_000);
  expect(opened).toHaveLength(3);
});

test("a stream that only ends is left to the browser, which opens it again", () => {
  const leave = followReadEvents("/api/limit-usage", { current: () => {} });
  FakeEventSource.opened[0]?.onerror?.();
  jest.advanceTimersByTime(120_000);
  expect(FakeEventSource.opened).toHaveLength(1);
  leave();
});
