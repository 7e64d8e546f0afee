import type { FindInAddress, TimeRange } from "./time-range";

/** What the text of a filter must be, so that the gateway doesn't refuse it. */
export type ParameterChecks<Name extends string> = Partial<Record<Name, (text: string) => boolean>>;

/** Returns those parameters that the address sets, trimmed, without the ones that their check refuses. */
export function checkedParameters<Name extends string>(
  names: readonly Name[],
  checks: ParameterChecks<Name>,
  findInAddress: FindInAddress,
): Partial<Record<Name, string>> {
  const parameters: Partial<Record<Name, string>> = {};
  for (const name of names) {
    const text = findInAddress(name).trim();
    if (text !== "" && (checks[name]?.(text) ?? true)) parameters[name] = text;
  }
  return parameters;
}

/** Returns the time range of a list by the API's names. */
export function timeParameters({ start, end }: TimeRange) {
  return {
    start_time: start === null ? undefined : String(Math.max(0, start)),
    end_time: end === null ? undefined : String(end),
  };
}
