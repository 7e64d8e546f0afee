import { countMessageCharacters, type Message } from "../messages/message";
import type { Workbench } from "../panes/pane";
import { withoutLargeAudio } from "./saved-content";

/** Characters. A request repeats the conversation before it, so that the requests of a long one are many times its length. */
const MAX_RAW_LENGTH = 20_000;

/**
 * Leaves out what is too large to be stored in this tab while answers stream: recordings, and the raw requests and replies
 * of long conversations. The tab's storage holds about five million characters, and writing it stops the page.
 */
export function withoutLargeParts(workbench: Workbench): Workbench {
  const panes = workbench.panes.map((one) => ({
    ...one,
    messages: withoutLargeRaw(one.messages).map(withoutLargeAudio),
  }));
  return { ...workbench, panes };
}

function withoutLargeRaw(messages: readonly Message[]): readonly Message[] {
  let length = 0;
  return messages.map((one) => {
    const isLong = length > MAX_RAW_LENGTH;
    length += countMessageCharacters(one);
    if (!one.run) return one;
    const { request, reply } = one.run;
    const isReplyLong = (reply?.body.length ?? 0) > MAX_RAW_LENGTH;
    return {
      ...one,
      run: { ...one.run, request: isLong ? null : request, reply: isReplyLong ? null : reply },
    };
  });
}
