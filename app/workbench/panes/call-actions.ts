import { startStream } from "@/app/streams/start-stream";
import { cancelCall, cancelOwnTask, followCall, followOwnTask, sendCall, sendMedia } from "../actions";

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
