"use client";

import { createContext, useContext } from "react";

type Gone = {
  /** Whether the object that the page is about was deleted after the page was opened. */
  isGone: boolean;
  /** Called when input was discarded: a page that stays for its input alone can end. */
  release: () => void;
};

export const ObjectGone = createContext<Gone>({ isGone: false, release: () => {} });

export function useObjectGone(): Gone {
  return useContext(ObjectGone);
}
