/** The most conversations that are kept for each owner. Those with the oldest changes are deleted first. */
export const MAX_CONVERSATIONS = 100;
/** Conversations are kept for so long after their last change. Prompt runs have the same retention. */
export const CONVERSATION_DAYS = 180;
/** Replies of calls that continued without their client are kept for so long. */
export const ANSWER_DAYS = 30;
