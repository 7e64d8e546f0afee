import { expect, test } from "bun:test";
import { renderToStaticMarkup } from "react-dom/server";
import { LinkedIds } from "./reconcile-screen";

const listLinks = (text: string) =>
  [...renderToStaticMarkup(<LinkedIds text={text} />).matchAll(/href="([^"]*)"/g)].map(([, href]) => href);

test("each id in a fault leads to what it names", () => {
  expect(listLinks("req_01a is charged 2.00 of a hold of 1.00.")).toEqual(["/requests/req_01a"]);
  expect(listLinks("txn_01b corrects txn_01c, which is no entry.")).toEqual([
    "/balance/txn_01b",
    "/balance/txn_01c",
  ]);
  expect(listLinks("The batch that ends with entry 7 (txn_01d) is not as it was written.")).toEqual([
    "/balance/txn_01d",
  ]);
  expect(
    listLinks("The statement of 2026-10 says 2 calls and 1.00 for gpt-5 in proj_01e; its entries make 3."),
  ).toEqual(["/statements/2026-10", "/projects/proj_01e"]);
  expect(listLinks("The lines of 2026-09 add up to 1.00; it was charged 2.00.")).toEqual([
    "/statements/2026-09",
  ]);
  expect(listLinks("The hold of req_01f is own_01's, who has no lease.")).toEqual(["/requests/req_01f"]);
  expect(listLinks("The account balance says 1.00, its entries add up to 2.00.")).toEqual([]);
});
