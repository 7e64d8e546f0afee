import { expect, test } from "bun:test";
import { BinaryReplyRecorder, readStoredBytes } from "./reply-client";

test.each([
  "audio/mpeg",
  "text/plain; charset=utf-8",
  "audio/ogg; codecs=opus",
  'audio/ogg;codecs="opus,vorbis"',
  "audio/pcm;rate=24000;channels=1",
  "audio/L16; rate=8000; base64",
])("a reply of the type %s is repeated with its bytes and its type", (contentType) => {
  const recorder = new BinaryReplyRecorder(contentType);
  recorder.add(new Uint8Array([0, 255]));
  recorder.add(new Uint8Array([7]));
  const stored = readStoredBytes(recorder.text ?? "");
  expect(stored?.contentType).toBe(contentType);
  expect([...(stored?.bytes ?? [])]).toEqual([0, 255, 7]);
});

test.each([
  'data: {"content":"data:image/png;base64,AAAA"}\n\n',
  'data:{"content":"data:image/png;base64,AAAA"}\n\n',
  '{"content":"data:image/png;base64,AAAA"}',
])("a reply that only contains such bytes is repeated as its text: %s", (text) => {
  expect(readStoredBytes(text)).toBeNull();
});
