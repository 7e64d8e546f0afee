import { countNouns } from "@/components/ui/values/group-digits";
import type { UseCounts } from "./limit-use";

const words = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];
const spell = (count: number) => words[count] ?? String(count);
const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** The title of the screen: what is used up, and what is near. */
export function describeNear({ usedUp, near, isKnown }: UseCounts): string {
  if (!isKnown) return "Rate limits";
  const up = `${spell(usedUp)} ${usedUp === 1 ? "limit is" : "limits are"} used up`;
  if (usedUp > 0 && near > 0) return capital(`${up}, ${spell(near)} ${near === 1 ? "is" : "are"} above 80 %`);
  if (usedUp > 0) return capital(up);
  if (near > 0) return capital(`${spell(near)} ${near === 1 ? "limit is" : "limits are"} above 80 %`);
  return "Every limit has room";
}

/** "Rate limits of 12 projects and 31 models: 214 rows." */
export function describeSize(projects: number, models: number, rows: number, isWhole: boolean): string {
  const size = `Rate limits of ${countNouns(projects, "project")} and ${countNouns(models, "model")}`;
  return isWhole ? `${size}: ${countNouns(rows, "row")}.` : `${size} so far; more are being read.`;
}
