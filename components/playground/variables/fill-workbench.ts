import { formatCount } from "@/components/ui/values/group-digits";
import type { Message } from "../messages/message";
import type { Pane } from "../panes/pane";
import type { Settings } from "../settings";
import type { Workbench } from "../workbench";
import { MAX_FILLED_LENGTH } from "./prompt-text";
import { fillVariables, measureGrowth, namesIn, type VariableValues } from "./variables";

export const CALL_TOO_LONG = `With its variables filled in, the call is longer than ${formatCount(MAX_FILLED_LENGTH)} characters. Shorten the values, or use them fewer times.`;

const NONE: VariableValues = {};

export function readValues({ variables }: Workbench): VariableValues {
  return variables ?? NONE;
}

/** Messages never change, so each is searched once, however often the workbench is rendered. */
const known = new WeakMap<Message, readonly string[]>();

/** Variables in what a model wrote are its own words. */
function findNames(message: Message): readonly string[] {
  if (message.call) return [];
  const names = known.get(message) ?? namesIn(message.text);
  known.set(message, names);
  return names;
}

/** Returns the names of the variables in the settings, the written messages and the draft, without duplicates. */
export function listWorkbenchVariables({ panes, shared, draft }: Workbench): string[] {
  const settings = [shared, ...panes.flatMap(({ own }) => own ?? [])];
  return [
    ...new Set([
      ...settings.flatMap(({ instruction }) => namesIn(instruction)),
      ...panes.flatMap(({ messages }) => messages).flatMap(findNames),
      ...namesIn(draft),
    ]),
  ];
}

/**
 * Returns the workbench as it is sent: with the values of its variables. Null if the call of a pane would become too
 * long, which is checked first, since a few characters can name a long value.
 */
export function fillWorkbench(workbench: Workbench): Workbench | null {
  const values = readValues(workbench);
  if (Object.keys(values).length === 0) return workbench;
  if (workbench.panes.some((pane) => computeGrowth(workbench, pane, values) > MAX_FILLED_LENGTH)) return null;
  const fill = (text: string) => fillVariables(text, values);
  const fillSettings = (settings: Settings) => ({ ...settings, instruction: fill(settings.instruction) });
  return {
    ...workbench,
    shared: fillSettings(workbench.shared),
    draft: fill(workbench.draft),
    panes: workbench.panes.map((pane) => ({
      ...pane,
      own: pane.own && fillSettings(pane.own),
      messages: pane.messages.map((one) =>
        findNames(one).length > 0 ? { ...one, text: fill(one.text) } : one,
      ),
    })),
  };
}

function computeGrowth(
  { shared, draft }: Workbench,
  { own, messages }: Pane,
  values: VariableValues,
): number {
  const texts = [(own ?? shared).instruction, draft, ...messages.filter(isNaming).map(({ text }) => text)];
  return texts.reduce((sum, text) => sum + measureGrowth(text, values), 0);
}

function isNaming(message: Message): boolean {
  return findNames(message).length > 0;
}
