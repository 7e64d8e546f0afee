import { expect, test } from "bun:test";
import { listTimeMarks } from "./time-axis";

const at = (local: string) => Math.floor(new Date(local).getTime() / 1000);
const buckets = (from: string, seconds: number, count: number) =>
  Array.from({ length: count }, (_, index) => at(from) + index * seconds);
const labels = (from: string, seconds: number, count: number) =>
  listTimeMarks(buckets(from, seconds, count), seconds).map(({ label }) => label);

test("a week of hours is marked at midnights, wherever it begins", () => {
  expect(labels("2026-11-16T08:00", 3_600, 168)).toEqual([
    "17 Nov",
    "18 Nov",
    "19 Nov",
    "20 Nov",
    "21 Nov",
    "22 Nov",
  ]);
});

test("a day is marked at round hours, with the date at midnight", () => {
  expect(labels("2026-11-22T08:30", 900, 96)).toEqual(["12:00", "18:00", "23 Nov", "06:00"]);
});

test("an hour is marked at quarters", () => {
  expect(labels("2026-11-22T08:05", 60, 60)).toEqual(["08:15", "08:30", "08:45", "09:00"]);
});

test("a month of days has at most six marks, the first on its first day", () => {
  const marks = labels("2026-11-01T00:00", 86_400, 30);
  expect(marks[0]).toBe("1 Nov");
  expect(marks.length).toBeLessThanOrEqual(6);
});

test("marks stand at their bucket and end before the edge", () => {
  const marks = listTimeMarks(buckets("2026-11-16T00:00", 3_600, 168), 3_600);
  expect(marks[0]).toMatchObject({ left: 0, label: "16 Nov" });
  expect(Math.max(...marks.map(({ left }) => left))).toBeLessThanOrEqual(92);
});
