import { expect, test } from "bun:test";
import { currentToasts } from "@/components/ui/dialog/toast";
import { copyWithToast } from "./message-row";

test("a copy from a menu is confirmed, and so is one that the browser refused", async () => {
  await copyWithToast("text", async () => true);
  await copyWithToast("text", async () => false);
  expect(currentToasts().map(({ message, tone }) => [message, tone])).toEqual([
    ["Copied", "good"],
    ["Could not copy: select the text and copy it by hand", "bad"],
  ]);
});
