"use client";

import { createContext, useContext } from "react";

/** Whether the object that the page is about was deleted after the page was opened. */
export const ObjectGone = createContext(false);

export function useIsObjectGone(): boolean {
  return useContext(ObjectGone);
}
