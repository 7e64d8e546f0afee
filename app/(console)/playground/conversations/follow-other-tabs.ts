import type { ConversationAutosave } from "./conversation-autosave";
import type { ConversationSwitch } from "./conversation-switch";

const CHANNEL = "gatehouse:conversations";

/**
 * Shows what another tab of this browser saves in the open conversation, and on coming back what another session saved.
 * A tab with unsaved edits keeps them.
 * @returns a function that ends it.
 */
export function followOtherTabs(
  autosave: Pick<ConversationAutosave, "conversation" | "subscribe">,
  conversations: Pick<ConversationSwitch, "refresh">,
): () => void {
  const channel = new BroadcastChannel(CHANNEL);
  let known = autosave.conversation.version;
  const refresh = () => {
    // A message that is being edited is not part of the workbench yet.
    if (document.querySelector("[data-pane] textarea") === null) void conversations.refresh();
  };
  channel.onmessage = ({ data }) => {
    if (data === autosave.conversation.id) refresh();
  };
  const tell = autosave.subscribe(() => {
    const { id, version, state } = autosave.conversation;
    if (version === known) return;
    known = version;
    if (state.kind === "saved" && version !== null) channel.postMessage(id);
  });
  const comeBack = () => {
    if (document.visibilityState === "visible") refresh();
  };
  document.addEventListener("visibilitychange", comeBack);
  return () => {
    tell();
    channel.close();
    document.removeEventListener("visibilitychange", comeBack);
  };
}
