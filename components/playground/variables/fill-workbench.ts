import { formatCount } from "@/components/ui/values/group-digits";
import {
  fillVariables,
  findVariableValue,
  measureGrowth,
  namesIn,
  type VariableValues,
} from "@/lib/contract/calls/prompt-variables";
import type { Message } from "../messages/message";
import type { Pane } from "../panes/pane";
import type { Settings } from "../settings";
import { findSettings, type Workbench } from "../workbench";
import { MAX_FILLED_LENGTH } from "./prompt-text";

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
  const isFrozen = workbench.panes.some(({ messages }) => messages.some((one) => one.values));
  if (Object.keys(values).length === 0 && !isFrozen) return workbench;
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
        findNames(one).length > 0 ? { ...one, text: fillVariables(one.text, one.values ?? values) } : one,
      ),
    })),
  };
}

/** Returns the text of a message as it was sent, or as it would be sent with these values. */
export function fillMessage(message: Message, values: VariableValues): string {
  return findNames(message).length > 0 ? fillVariables(message.text, message.values ?? values) : message.text;
}

/** Keeps the values with which a pane's messages are sent: other values later are for the messages after them. */
export function freezeValues(pane: Pane, values: VariableValues): Pane {
  const freeze = (message: Message): Message => {
    const names = findNames(message);
    if (names.length === 0 || message.values) return message;
    const sent = names.flatMap((name): [string, string][] => {
      const value = findVariableValue(values, name);
      return value === undefined ? [] : [[name, value]];
    });
    return { ...message, values: Object.fromEntries(sent) };
  };
  return { ...pane, messages: pane.messages.map(freeze) };
}

/** Returns the variables without a value in what Send would send, without duplicates. */
export function listUnfilled(workbench: Workbench): string[] {
  const values = readValues(workbench);
  const unsent = ({ messages }: Pane) => messages.filter((one) => !one.values).flatMap(findNames);
  const instructions = workbench.panes.map((pane) => findSettings(workbench, pane).instruction);
  const names = [...[...instructions, workbench.draft].flatMap(namesIn), ...workbench.panes.flatMap(unsent)];
  return [...new Set(names)].filter((name) => findVariableValue(values, name) === undefined);
}

function computeGrowth(
  { shared, draft }: Workbench,
  { own, messages }: Pane,
  values: VariableValues,
): number {
  const written = messages.filter((one) => findNames(one).length > 0);
  const growth = [(own ?? shared).instruction, draft].map((text) => measureGrowth(text, values));
  const grown = written.map(({ text, values: sent = values }) => measureGrowth(text, sent));
  return [...growth, ...grown].reduce((sum, one) => sum + one, 0);
}
