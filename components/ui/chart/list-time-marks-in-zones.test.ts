import { expect, test } from "bun:test";
import { join } from "node:path";

/** The labels of hours in a process whose clock is in `zone`: formats keep the zone in which they are made. */
function labelsIn(zone: string, from: string, hours: number): string[] {
  const program = `
    import { listTimeMarks } from ${JSON.stringify(join(import.meta.dirname, "time-axis.tsx"))};
    const start = Date.parse(${JSON.stringify(from)}) / 1000;
    const times = Array.from({ length: ${hours} }, (_, hour) => start + hour * 3_600);
    console.log(JSON.stringify(listTimeMarks(times, 3_600).map(({ label }) => label)));`;
  const run = Bun.spawnSync([process.execPath, "-e", program], { env: { ...process.env, TZ: zone } });
  return JSON.parse(run.stdout.toString());
}

test.each([
  ["Asia/Kathmandu", "2026-11-22T12:00Z", ["18:45", "23 Nov", "06:45", "12:45"]],
  ["Pacific/Chatham", "2026-11-22T06:00Z", ["23 Nov", "06:45", "12:45"]],
])("in %s, whose clock is no whole hours from UTC, a day of hours shows its date", (zone, from, labels) => {
  expect(labelsIn(zone, from, 24)).toEqual(labels);
});

test.each([
  // The clock is set back from 02:00 to 01:00, and from 03:00 to 02:00.
  ["America/New_York", "2026-11-01T04:00Z", ["1 Nov", "06:00", "12:00", "18:00"]],
  ["Europe/Berlin", "2026-10-24T22:00Z", ["25 Oct", "06:00", "12:00", "18:00"]],
  // The clock is set forward from 00:00 to 01:00.
  ["Africa/Cairo", "2026-04-23T16:00Z", ["18:00", "24 Apr", "06:00", "12:00"]],
])("in %s, a day on which the clock changes shows its date once", (zone, from, labels) => {
  expect(labelsIn(zone, from, 24)).toEqual(labels);
});

test("a week across a change of the clock has a mark for each whole day", () => {
  const days = ["24 Oct", "25 Oct", "26 Oct", "27 Oct", "28 Oct"];
  expect(labelsIn("Europe/Berlin", "2026-10-22T23:00Z", 145)).toEqual(days);
});
