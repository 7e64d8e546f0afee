import { expect, test } from "bun:test";
import { mendPath } from "./mend-paths";

test.each([
  ["/roles/%ff", "/roles/%25ff"],
  ["/roles/%", "/roles/%25"],
  ["/roles/%zz?next=%ff", "/roles/%25zz?next=%ff"],
  ["/models/a%2Fb/%c3%28", "/models/a%2Fb/%25c3%2528"],
  ["/models/a%2Fb?q=%", "/models/a%2Fb?q=%"],
  ["/models/%C3%A4", "/models/%C3%A4"],
  ["*", "*"],
])("%s is read as %s", (url, read) => {
  expect(mendPath(url)).toBe(read);
});
