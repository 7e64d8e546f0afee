"use client";

import { createContext } from "react";

/** True around data of an earlier question, such as a list whose filter was changed, until the answer has come. */
export const BusyContext = createContext(false);
