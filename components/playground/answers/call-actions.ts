import { startStream } from "@/components/queries/streams/start-stream";
import { cancelOwnTask } from "@/components/tasks/actions";
import { cancelCall, followCall, followOwnTask, sendCall, sendMedia } from "../actions";

/** How calls reach the console's server. */
export const callActions = {
  startStream,
  sendCall,
  sendMedia,
  followCall,
  followOwnTask,
  cancelCall,
  cancelOwnTask,
};

export type CallActions = typeof callActions;
