import { type ReadId, readNouns } from "./reads";

const readIds = new Map(
  Object.entries(readNouns).map(([id, noun]): [string, ReadId] => [noun, id as ReadId]),
);

/** The read of a noun; undefined for an unknown one. */
export function findReadId(noun: string): ReadId | undefined {
  return readIds.get(noun);
}
