import { expect, test } from "bun:test";
import { displayName } from "./schema";

const isName = (text: string) => displayName.safeParse(text).success;

test("a name may be in any script and direction, and have emoji of several signs", () => {
  for (const name of ["שלום עולם", "مرحبا", "日本語", "👩‍👩‍👧‍👦 family", "=cmd|calc", "<b>bold</b>"])
    expect([name, isName(name)]).toEqual([name, true]);
});

test("a name can't turn the direction of the text beside it", () => {
  for (const sign of ["\u202e", "\u202a", "\u2066", "\u2069"])
    expect([sign, isName(`invoice${sign}fdp.exe`)]).toEqual([sign, false]);
});
