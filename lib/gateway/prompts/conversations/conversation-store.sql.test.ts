import { expect, test } from "bun:test";
import { openTemporaryDatabase } from "../../database/testing/open-temporary-database";
import { createBackgroundAnswerStore } from "./background-answer-store.sql";
import { createConversationStore } from "./conversation-store.sql";

test("an owner's oldest conversations go with their background answers, and other conversations keep theirs", async () => {
  await using temporary = await openTemporaryDatabase();
  const sealing = { key: new Uint8Array(32), random: (bytes: number) => new Uint8Array(bytes) };
  const conversations = createConversationStore(temporary.reads, sealing);
  const answers = createBackgroundAnswerStore(temporary.reads, sealing);
  const names = ["conv_old", "conv_mid", "conv_new"].map((conversationId) => ({
    conversationId,
    answerId: "a",
  }));
  await temporary.run(async (transaction) => {
    for (const [index, name] of names.entries()) {
      const times = { createdAtMs: index, updatedAtMs: index };
      const head = {
        id: name.conversationId,
        ownerId: "user_1",
        projectId: null,
        title: "t",
        isShared: false,
      };
      const conversation = { ...head, ...times, content: "{}" };
      await conversations.save(transaction, conversation);
      const state = { head: null, isRunning: false, isCanceled: false, updatedAtMs: index };
      await answers.insert(transaction, { ...name, ...state, ownerId: "user_1", requestId: "req_1" });
      await conversations.keepNewest(transaction, conversation, 2);
    }
  });
  const found = await Promise.all(names.map((name) => answers.find(name)));
  expect(found.map((answer) => answer?.conversationId)).toEqual([undefined, "conv_mid", "conv_new"]);
});
