import { afterAll, expect, test } from "bun:test";
import { findLabelZone, formatTimeLabel, labelTableTimes } from "./format-time-label";
import { listTimeMarks } from "./time-axis";

// Tests run in UTC unless told otherwise, and those of other files run in the same process.
const zone = process.env.TZ ?? "UTC";
afterAll(() => {
  process.env.TZ = zone;
});
const DAY = 86_400;
const start = Date.UTC(2026, 10, 1) / 1000;

test.each(["Pacific/Honolulu", "UTC", "Pacific/Kiritimati"])(
  "days are named by their date in UTC in the zone %s",
  (name) => {
    process.env.TZ = name;
    expect(formatTimeLabel(start, DAY)).toBe("1 Nov");
    expect(findLabelZone(start, DAY)).toBe("UTC");
    const days = Array.from({ length: 5 }, (_, day) => start + day * DAY);
    expect(listTimeMarks(days, DAY).map(({ label }) => label)).toEqual([
      "1 Nov",
      "2 Nov",
      "3 Nov",
      "4 Nov",
      "5 Nov",
    ]);
  },
);

test("hours are shown in the viewer's zone, which is named", () => {
  process.env.TZ = "Pacific/Honolulu";
  expect(formatTimeLabel(start, 3_600)).toBe("31 Oct, 14:00");
  expect(findLabelZone(start, 3_600)).toBe("GMT-10");
});

test("in a table across a change of the clock, each time names its zone", () => {
  process.env.TZ = "Europe/Berlin";
  const hours = [0, 1, 2].map((hour) => Date.UTC(2026, 9, 25, hour) / 1000);
  const table = labelTableTimes(hours, 3_600);
  expect(table.head).toBe("From");
  expect(hours.map(table.label)).toEqual(["25 Oct, 02:00 CEST", "25 Oct, 02:00 CET", "25 Oct, 03:00 CET"]);
  const after = labelTableTimes(hours.slice(1), 3_600);
  expect([after.head, ...hours.slice(1).map(after.label)]).toEqual([
    "From, CET",
    "25 Oct, 02:00",
    "25 Oct, 03:00",
  ]);
});

test("a time that the clock shows twice names its zone, and no other does", () => {
  process.env.TZ = "Europe/Berlin";
  const hours = [-1, 0, 1, 2].map((hour) => Date.UTC(2026, 9, 25, hour, 30) / 1000);
  expect(hours.map((at) => formatTimeLabel(at, 60))).toEqual(["01:30", "02:30 CEST", "02:30 CET", "03:30"]);
  process.env.TZ = "America/New_York";
  const night = [4, 5, 6, 7].map((hour) => Date.UTC(2026, 10, 1, hour) / 1000);
  expect(night.map((at) => formatTimeLabel(at, 3_600))).toEqual([
    "1 Nov, 00:00",
    "1 Nov, 01:00 GMT-4",
    "1 Nov, 01:00 GMT-5",
    "1 Nov, 02:00",
  ]);
  process.env.TZ = "Australia/Lord_Howe";
  const half = Date.UTC(2026, 3, 4, 14, 30) / 1000;
  expect([half, half + 1_800].map((at) => formatTimeLabel(at, 60))).toEqual([
    "01:30 GMT+11",
    "01:30 GMT+10:30",
  ]);
  process.env.TZ = "Europe/Berlin";
  const spring = [0, 1, 2].map((hour) => Date.UTC(2026, 2, 29, hour, 30) / 1000);
  expect(spring.map((at) => formatTimeLabel(at, 60))).toEqual(["01:30", "03:30", "04:30"]);
});

test("in a zone that is no whole hours from UTC, a table names the minutes", () => {
  process.env.TZ = "Asia/Kathmandu";
  const table = labelTableTimes([start], 3_600);
  expect([table.head, table.label(start)]).toEqual(["From, GMT+5:45", "1 Nov, 05:45"]);
});
