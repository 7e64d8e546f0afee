import { expect, test } from "bun:test";
import { Outlet } from "./outlet";
import { FakeSocket } from "./testing/recording-server";

test("what a client does not take at once reaches it unchanged, whatever others are sent meanwhile", () => {
  const [slow, other] = [new FakeSocket(), new FakeSocket()];
  slow.room = 2;
  const outlet = new Outlet(slow);
  outlet.write("first ");
  outlet.write("second");
  new Outlet(other).write("of another connection");
  slow.room = Number.POSITIVE_INFINITY;
  outlet.flush();
  expect([slow.written, other.written]).toEqual(["first second", "of another connection"]);
});
