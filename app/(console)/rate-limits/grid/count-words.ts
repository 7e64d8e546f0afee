import { formatCount } from "@/components/ui/values/group-digits";

/** "1 change", "7 changes". */
export const countWords = (count: number, noun: string): string =>
  `${formatCount(count)} ${noun}${count === 1 ? "" : "s"}`;
