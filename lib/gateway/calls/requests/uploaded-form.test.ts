import { expect, test } from "bun:test";
import { FormReceiver } from "./uploaded-form";

/** A body that begins and then stays away. */
async function* endless(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('--b\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\nhalf');
  await new Promise(() => {});
}

test("the slow uploads of one key leave places for those of others", async () => {
  const write = () => new Promise<number>(() => {});
  const none = async () => {};
  const receiver = new FormReceiver(
    { write, delete: none, deleteOld: none, open: async () => null, findPath: () => "", ids: async () => [] },
    () => {},
  );
  const refused: string[] = [];
  const receive = (keyId: string) =>
    void receiver
      .receive({ id: "req", keyId }, "multipart/form-data; boundary=b", endless(), { files: ["file"] })
      .catch((error: { code: string }) => refused.push(`${keyId} ${error.code}`));
  for (let upload = 0; upload < 60; upload++) receive("key_1");
  for (const keyId of ["key_2", "key_3", "key_4"]) for (let upload = 0; upload < 50; upload++) receive(keyId);
  await Promise.resolve();
  expect(refused).toEqual(Array.from({ length: 10 }, () => "key_1 too_much_at_once"));
  receive("key_5");
  await Promise.resolve();
  expect(refused.at(-1)).toBe("key_5 too_much_at_once");
});
