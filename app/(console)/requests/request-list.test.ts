import { expect, test } from "bun:test";
import type { LoggedRequest } from "@/lib/contract/operations/calls/requests";
import { interleaveRefusals } from "./request-list";

const call = (created_at: number) => ({ object: "request", created_at }) as LoggedRequest;
const more = (minute: number) => ({ minute, refusals: 5 });

test("places a minute's unlisted refusals after its listed calls, across pages too", () => {
  const pages = [
    { data: [call(185), call(130)], unlisted_refusals: [more(180)] },
    { data: [call(125), call(20)], unlisted_refusals: [more(120), more(60), more(0)] },
  ];
  const shown = interleaveRefusals(pages).map((row) =>
    "object" in row ? row.created_at : `more ${row.minute}`,
  );
  expect(shown).toEqual([185, "more 180", 130, 125, "more 120", "more 60", 20, "more 0"]);
  expect(interleaveRefusals([{ data: [], unlisted_refusals: [more(60)] }])).toEqual([more(60)]);
});
