import { afterAll, expect, test } from "bun:test";
import { findLabelZone, formatTimeLabel } from "./format-time-label";
import { listTimeMarks } from "./list-time-marks";

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
