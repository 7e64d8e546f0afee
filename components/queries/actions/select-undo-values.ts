import { countChanges } from "@/components/ui/drafts/count-changes";

/**
 * The values that undo a save: those typed over, and those that the save changed along with them, such as a list that
 * another choice empties. `was` has the object's values at the save, `now` those of the reply.
 */
export function selectUndoValues<Values, Name extends keyof Values>(
  names: readonly Name[],
  typedOver: Partial<Pick<Values, Name>>,
  was: Values,
  now: Values,
): Partial<Pick<Values, Name>> {
  const changedAlong = names.filter((name) => countChanges(was[name], now[name]) > 0);
  const values = changedAlong.map((name) => [name, was[name]]);
  return { ...(Object.fromEntries(values) as Partial<Pick<Values, Name>>), ...typedOver };
}
