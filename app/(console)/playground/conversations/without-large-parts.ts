import { withoutLargeAudio } from "@/components/playground/conversations/saved-content";
import {
  type StoredWorkbench,
  toStoredWorkbench,
} from "@/components/playground/conversations/stored-workbench";
import { countMessageCharacters, type Message } from "@/components/playground/messages/message";
import type { Workbench } from "@/components/playground/workbench";

/**
 * Characters. A request repeats the conversation before it, so that the requests of a long one are many times its
 * length.
 */
const MAX_RAW_LENGTH = 20_000;

/**
 * Returns what to store in this tab while answers stream: all but recordings, and the raw requests and replies of long
 * conversations. The tab's storage holds about five million characters, and writing it stops the page.
 */
export function withoutLargeParts(workbench: Workbench): StoredWorkbench {
  const panes = workbench.panes.map((one) => ({
    ...one,
    messages: withoutLargeRaw(one.messages).map(withoutLargeAudio),
  }));
  return toStoredWorkbench({ ...workbench, panes });
}

function withoutLargeRaw(messages: readonly Message[]): readonly Message[] {
  let length = 0;
  return messages.map((one) => {
    const isLong = length > MAX_RAW_LENGTH;
    length += countMessageCharacters(one);
    if (!one.call) return one;
    const { request, reply } = one.call;
    const isReplyLong = (reply?.body.length ?? 0) > MAX_RAW_LENGTH;
    return {
      ...one,
      call: { ...one.call, request: isLong ? null : request, reply: isReplyLong ? null : reply },
    };
  });
}
