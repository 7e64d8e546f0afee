import { afterEach, expect, test } from "bun:test";
import { setOrganizationLook } from "../organization-look";
import { groupDigits } from "../values/group-digits";
import {
  formatClock,
  formatDateTime,
  formatExactTime,
  fromLocalSeconds,
  nameZone,
  offsetSeconds,
  zoneAt,
} from "./describe-time";

const at = (time: string) => Date.parse(time) / 1000;
const look = (timeZone: string | null, numberFormat: "comma" | "space" | "apostrophe" = "comma") =>
  setOrganizationLook({ timeZone, numberFormat });

afterEach(() => look(null));

test("with a zone of the organization, times are written in it for everybody", () => {
  look("Asia/Tokyo");
  const time = at("2026-11-27T20:30:00Z");
  expect(formatDateTime(time)).toBe("28 Nov 2026, 05:30:00");
  expect(formatExactTime(time)).toContain("GMT+9");
  expect(formatDateTime(time, "UTC")).toBe("27 Nov 2026, 20:30:00");
  expect(zoneAt(time)).toBe("GMT+9");
  expect(nameZone()).toBe("Asia/Tokyo");
  // A quarter of an hour later is the same day there, and another one in UTC.
  expect(formatClock(at("2026-11-27T14:59:00Z"), at("2026-11-27T15:01:00Z"), "viewer", "minutes")).toBe(
    "27 Nov 23:59",
  );
});

test("offsets follow summer time and zones that are not whole hours from UTC", () => {
  look("Europe/Berlin");
  expect(offsetSeconds(at("2026-07-01T00:00:00Z"))).toBe(7_200);
  expect(offsetSeconds(at("2026-12-01T00:00:00Z"))).toBe(3_600);
  look("Asia/Kathmandu");
  expect(offsetSeconds(at("2026-12-01T00:00:00Z"))).toBe(20_700);
});

test("what a clock of the zone shows leads back to the time, also beside the hours when it is set", () => {
  look("Europe/Berlin");
  for (const time of [
    "2026-03-29T00:59:59Z",
    "2026-03-29T01:00:00Z",
    "2026-10-25T03:00:00Z",
    "2026-06-01T12:00:00Z",
  ])
    expect(fromLocalSeconds(at(time) + offsetSeconds(at(time)))).toBe(at(time));
});

test("numbers are grouped as the organization likes it, exactly", () => {
  look(null, "space");
  expect(groupDigits("1234567.50")).toBe("1\u202f234\u202f567.50");
  look(null, "apostrophe");
  expect(groupDigits("-1234.000000001")).toBe("-1’234.000000001");
});
